import type { Storage } from '../../storage/storage.ts';
import { DocumentReader, parse } from './documents.ts';
import { Lines } from './lines.ts';
import type { EventParser } from './scan/event-parser.ts';
import { type EventStream, type LineageSource, streamsOf } from './sources.ts';
import { unzipped } from './unzip.ts';

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

/**
 * The events of any source, one after another, and what could not be read. No more than the events of one part of a file are in
 * memory.
 *
 * ```ts
 * for await (const read of rawEvents('lineage', localStorage())) if ('value' in read) console.log(read.file, read.line);
 * ```
 *
 * @throws InputError `lineage/no-storage` for a location without a storage, `lineage/not-found` where nothing is there
 */
export async function* rawEvents(
  source: LineageSource,
  storage?: Storage,
): AsyncGenerator<RawEvent | Unreadable> {
  let read: (RawEvent | Unreadable)[] = [];
  for await (const stream of streamsOf(source, storage))
    for await (const _ of passEvents({ stream, parser: null, take: (event) => void read.push(event) })) {
      yield* read;
      read = [];
    }
}

/** What events are passed from, and to whom. */
export interface PassEvents {
  readonly stream: EventStream;
  /**
   * Cuts long parts out of events, which then have no text, and have to be taken before the next is read; null where events are
   * wanted whole.
   */
  readonly parser: EventParser | null;
  readonly take: (read: RawEvent | Unreadable) => void;
}

/**
 * Passes the events of a stream to `take`, one after another, as each round of a loop over this reads a part of them. An event at a
 * time would go through the loops of all who read from each other, and cost more than it is.
 */
export async function* passEvents({ stream, parser, take }: PassEvents): AsyncGenerator<void> {
  const { file } = stream;
  let line = 0;
  if ('events' in stream) {
    for await (const value of stream.events) {
      line += 1;
      take({ file, line, value, text: null });
      yield;
    }
    return;
  }
  const reader = new DocumentReader({
    parse: (bytes) => (parser === null ? parse(bytes.toString('utf8')) : parser.parse(bytes)),
    document: (at, value, text) => take({ file, line: at, value, text: parser === null ? text() : null }),
    fault: (at, why) => take({ file, line: at, why }),
  });
  const lines = new Lines((bytes) => {
    line += 1;
    reader.line(bytes);
  });
  for await (const part of unzipped(stream.bytes, (why) => take({ file, line, why }))) {
    lines.part(part);
    yield;
  }
  lines.end();
  reader.end();
  yield;
}
