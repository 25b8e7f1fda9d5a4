import { InputError, LetheError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { DocumentReader, parse } from './documents.ts';
import { linesOf } from './lines.ts';
import type { EventParser } from './scan/event-parser.ts';

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

/** One event as it came, with its place; `line` counts from 1, in a service or in memory the events do. */
export interface RawEvent {
  readonly file: string;
  readonly line: number;
  /** Parsed fast: an integer beyond ±2^53 is rounded here, and whole in `text`. No number in an event is an id. */
  readonly value: unknown;
  /** As it was written, with every digit; null where it was never text. */
  readonly text: string | null;
}

/** A place that holds no event that could be read. */
export interface Unreadable {
  readonly file: string;
  readonly line: number;
  readonly why: string;
}

/** Files are read in parts of this many bytes, so that their size is no matter. */
const PART = 4 * 1024 * 1024;

/**
 * The events of any source, one after another, and what could not be read. No more than one event and one part of a file is
 * in memory.
 *
 * ```ts
 * for await (const read of rawEvents('lineage', localStorage())) if ('value' in read) console.log(read.file, read.line);
 * ```
 *
 * @throws InputError `lineage/no-storage` for a location without a storage, `lineage/not-found` where nothing is there
 */
export function rawEvents(source: LineageSource, storage?: Storage): AsyncGenerator<RawEvent | Unreadable> {
  return eventsOf({ source, storage, parser: null });
}

/** What events are read from, and by what. */
export interface EventsOf {
  readonly source: LineageSource;
  readonly storage: Storage | undefined;
  /** Cuts long parts out of events, which then have no text; null where they are wanted whole. */
  readonly parser: EventParser | null;
}

/** The events of a source, as {@link rawEvents} gives them. What was cut out of one has to be taken before the next is read. */
export async function* eventsOf({
  source,
  storage,
  parser,
}: EventsOf): AsyncGenerator<RawEvent | Unreadable> {
  if (typeof source === 'string') yield* eventsAt(source, storage, parser);
  else if ('bytes' in source) yield* eventsIn(source.name, source.bytes, parser);
  else if ('events' in source) yield* numbered(source.name, source.events);
  else yield* numbered('memory', source);
}

async function* numbered(
  file: string,
  events: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<RawEvent> {
  let line = 0;
  for await (const value of events) {
    line += 1;
    yield { file, line, value, text: null };
  }
}

async function* eventsAt(
  location: string,
  storage: Storage | undefined,
  parser: EventParser | null,
): AsyncGenerator<RawEvent | Unreadable> {
  if (storage === undefined) {
    throw new InputError('lineage/no-storage', `No storage was given to read ${location} with`, {
      remedy: 'Pass `storage: localStorage()`, or the events themselves',
      data: { location },
    });
  }
  const size = await sizeOf(storage, location);
  if (size !== null) {
    yield* eventsIn(location, parts(storage, location, size), parser);
    return;
  }
  let files = 0;
  for await (const file of storage.list(location)) {
    const name = file.location.slice(file.location.lastIndexOf('/') + 1);
    // Markers of engines and hidden files are no events: _SUCCESS, .crc, .DS_Store.
    if (name.startsWith('_') || name.startsWith('.')) continue;
    files += 1;
    yield* eventsIn(file.location, parts(storage, file.location, file.size), parser);
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
  for (let offset = 0; offset < size; offset += PART)
    yield await storage.read(location, { offset, length: Math.min(PART, size - offset) });
}

async function* eventsIn(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  parser: EventParser | null,
): AsyncGenerator<RawEvent | Unreadable> {
  let read: (RawEvent | Unreadable)[] = [];
  let at = 0;
  const fault = (line: number, why: string): void => void read.push({ file, line, why });
  const reader = new DocumentReader({
    parse: (line) => (parser === null ? parse(line.toString('utf8')) : parser.parse(line)),
    document: (line, value, text) =>
      void read.push({ file, line, value, text: parser === null ? text() : null }),
    fault,
  });
  for await (const line of linesOf(bytes, (why) => fault(at, why))) {
    at += 1;
    reader.line(line);
    if (read.length === 0) continue;
    yield* read;
    read = [];
  }
  reader.end();
  yield* read;
}
