import { InputError, LetheError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';

/**
 * Where events come from: a file or a folder by its location (read through the storage), a byte stream by a name (standard
 * input), events of a service by its name (`marquezEvents`), or events that are in memory already. Order and duplicates do
 * not matter.
 */
export type LineageSource =
  | string
  | { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly name: string; readonly events: AsyncIterable<unknown> }
  | Iterable<unknown>
  | AsyncIterable<unknown>;

/** Files are read in parts of this many bytes, so that their size is no matter. */
const PART = 4 * 1024 * 1024;

/** Events that come from one place: bytes that hold them, each part until the next is asked for, or the events themselves. */
export type EventStream =
  | { readonly file: string; readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly file: string; readonly events: Iterable<unknown> | AsyncIterable<unknown> };

/**
 * The streams of a source, one for each file.
 *
 * @throws InputError `lineage/no-storage` for a location without a storage, `lineage/not-found` where nothing is there
 */
export async function* streamsOf(
  source: LineageSource,
  storage: Storage | undefined,
): AsyncGenerator<EventStream> {
  if (typeof source === 'string') yield* streamsAt(source, storage);
  else if ('bytes' in source) yield { file: source.name, bytes: source.bytes };
  else if ('events' in source) yield { file: source.name, events: source.events };
  else yield { file: 'memory', events: source };
}

async function* streamsAt(location: string, storage: Storage | undefined): AsyncGenerator<EventStream> {
  if (storage === undefined) {
    throw new InputError('lineage/no-storage', `No storage was given to read ${location} with`, {
      remedy: 'Pass `storage: localStorage()`, or the events themselves',
      data: { location },
    });
  }
  const size = await sizeOf(storage, location);
  if (size !== null) {
    yield { file: location, bytes: parts(storage, location, size) };
    return;
  }
  let files = 0;
  for await (const file of storage.list(location)) {
    const name = file.location.slice(file.location.lastIndexOf('/') + 1);
    // Markers of engines and hidden files are no events: _SUCCESS, .crc, .DS_Store.
    if (name.startsWith('_') || name.startsWith('.')) continue;
    files += 1;
    yield { file: file.location, bytes: parts(storage, file.location, file.size) };
  }
  if (files === 0) {
    throw new InputError('lineage/not-found', `No lineage events at ${location}`, {
      remedy: 'Name a file of OpenLineage events, or a folder that holds some',
      data: { location },
    });
  }
}

/** The size of a file; null where there is none of that name. */
async function sizeOf(storage: Storage, location: string): Promise<number | null> {
  try {
    return (await storage.stat(location)).size;
  } catch (cause) {
    if (cause instanceof LetheError && cause.code === 'storage/not-found') return null;
    throw cause;
  }
}

async function* parts(storage: Storage, location: string, size: number): AsyncGenerator<Uint8Array> {
  if (size <= PART) {
    yield await storage.read(location);
    return;
  }
  const into = new Uint8Array(PART);
  for (let offset = 0; offset < size; offset += PART)
    yield await storage.read(location, { offset, length: Math.min(PART, size - offset), into });
}
