import { InputError, LetheError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { DocumentReader } from './documents.ts';
import { linesOf } from './lines.ts';

/**
 * Where events come from: a file or a folder by its location (read through the storage), a byte stream by a name (standard
 * input), or events that are in memory already. Order and duplicates do not matter.
 */
export type LineageSource =
  | string
  | { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }
  | Iterable<unknown>
  | AsyncIterable<unknown>;

/** Takes raw events and faults, each with its place. */
export interface RawEventSink {
  event(file: string, line: number, value: unknown): void;
  fault(file: string, line: number, why: string): void;
}

/** Files are read in parts of this many bytes, so that their size is no matter. */
const PART = 16 * 1024 * 1024;

/**
 * Passes every event of a source to `sink`, one after another.
 *
 * @throws InputError `lineage/no-storage` for a location without a storage, `lineage/not-found` where nothing is there
 */
export async function readSource(
  source: LineageSource,
  storage: Storage | undefined,
  sink: RawEventSink,
): Promise<void> {
  if (typeof source === 'string') await readLocation(source, storage, sink);
  else if ('bytes' in source) await readBytes(source.name, source.bytes, sink);
  else {
    let position = 0;
    for await (const event of source) {
      position += 1;
      sink.event('memory', position, event);
    }
  }
}

async function readLocation(
  location: string,
  storage: Storage | undefined,
  sink: RawEventSink,
): Promise<void> {
  if (storage === undefined) {
    throw new InputError('lineage/no-storage', `No storage was given to read ${location} with`, {
      remedy: 'Pass `storage: localStorage()`, or the events themselves',
      data: { location },
    });
  }
  if (await isFile(storage, location)) return readFile(storage, location, sink);
  let files = 0;
  for await (const file of storage.list(location)) {
    const name = file.location.slice(file.location.lastIndexOf('/') + 1);
    // Markers of engines and hidden files are no events: _SUCCESS, .crc, .DS_Store.
    if (name.startsWith('_') || name.startsWith('.')) continue;
    files += 1;
    await readFile(storage, file.location, sink);
  }
  if (files === 0) {
    throw new InputError('lineage/not-found', `No lineage events at ${location}`, {
      remedy: 'Name a file of OpenLineage events, or a folder that holds some',
      data: { location },
    });
  }
}

async function isFile(storage: Storage, location: string): Promise<boolean> {
  try {
    await storage.stat(location);
    return true;
  } catch (cause) {
    if (cause instanceof LetheError && cause.code === 'storage/not-found') return false;
    throw cause;
  }
}

function readFile(storage: Storage, location: string, sink: RawEventSink): Promise<void> {
  return readBytes(location, parts(storage, location), sink);
}

async function* parts(storage: Storage, location: string): AsyncGenerator<Uint8Array> {
  const { size } = await storage.stat(location);
  if (size <= PART) {
    yield await storage.read(location);
    return;
  }
  for (let offset = 0; offset < size; offset += PART)
    yield await storage.read(location, { offset, length: Math.min(PART, size - offset) });
}

async function readBytes(file: string, bytes: AsyncIterable<Uint8Array>, sink: RawEventSink): Promise<void> {
  let line = 0;
  const reader = new DocumentReader({
    document: (at, value) => sink.event(file, at, value),
    fault: (at, why) => sink.fault(file, at, why),
  });
  for await (const text of linesOf(bytes, (why) => sink.fault(file, line, why))) {
    line += 1;
    reader.line(text);
  }
  reader.end();
}
