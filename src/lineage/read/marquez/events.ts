import { createHash } from 'node:crypto';
import { FailedError, InputError } from '../../../errors.ts';
import { isObject } from '../../../values/is-object.ts';
import { canonicalJson } from '../../../values/json.ts';
import type { Instant } from '../../../values/time.ts';
import { formatTimestamp } from '../../../values/timestamp.ts';
import { instantOf } from '../instant.ts';
import { type Access, MarquezClient } from './client.ts';

/** What events are read from, and from where on. */
export interface MarquezEvents extends Access {
  /** A position that `passed` gave earlier; the beginning where left out. */
  readonly from?: string;
  /** Events a request; more only where one millisecond has more. */
  readonly pageSize?: number;
  /** Told after each page, once all its events were taken: a read that begins there later misses none of what came before. */
  readonly passed?: (position: string) => void | Promise<void>;
}

const BEGINNING = '1970-01-01T00:00:00.000Z';
/** Marquez would leave out everything after 2029 if no end were given. */
const END = '9999-12-31T00:00:00.000Z';
const PAGE_SIZE = 100;
/** The most events that one request asks for. */
const MOST = 100_000;

/**
 * The run events that a Marquez server has stored, oldest first (`GET /api/v1/events/lineage`), as a source for `readLineage` and
 * `rawEvents`. It serves no job and no dataset events.
 *
 * Pages go by time and not by offset: the server sorts by time alone, so that events of one moment change places between two
 * requests, and an offset could jump over one. The end is the newest event when the read begins, so that it ends while events
 * come in. Numbers keep every digit.
 *
 * ```ts
 * const events = marquezEvents({ url: 'https://marquez.example.com', fetch });
 * const lineage = await readLineage({ from: [events] });
 * ```
 *
 * @throws InputError `lineage/api-address`, `lineage/api-position`; and while it is read FailedError `lineage/api-unreachable`,
 * `lineage/api-denied`, `lineage/api-redirect`, `lineage/api-answer`, `lineage/api-endless`
 */
export function marquezEvents(options: MarquezEvents): {
  readonly name: string;
  readonly events: AsyncIterable<unknown>;
} {
  const client = new MarquezClient(options);
  const from = options.from ?? BEGINNING;
  const start = instantOf(from);
  if (start === null) {
    throw new InputError('lineage/api-position', 'The position to read events from is no time', {
      remedy: 'Pass a position that an earlier read gave, or a time like 2026-10-01T00:00:00Z',
    });
  }
  return { name: client.name, events: { [Symbol.asyncIterator]: () => read(client, options, start) } };
}

async function* read(
  client: MarquezClient,
  { pageSize = PAGE_SIZE, passed }: MarquezEvents,
  start: Instant,
): AsyncGenerator<unknown> {
  const newest = await client.page({
    after: positionOf(start),
    before: END,
    sortDirection: 'desc',
    limit: 1,
  });
  if (newest.length === 0) return;
  const end = timesOf(client, newest, start)[0]!;
  const before = positionOf(end + 1);
  let from = Math.floor(start);
  let limit = pageSize;
  /** Digests of the events of the millisecond `from`, which the next page has again. */
  let seen = new Set<string>();
  for (;;) {
    const page = await client.page({ after: positionOf(from), before, sortDirection: 'asc', limit });
    const times = timesOf(client, page, from, end);
    const last = times.at(-1);
    if (last === undefined) throw endless(client, from);
    const next = last > from ? new Set<string>() : seen;
    for (const [at, event] of page.entries()) {
      const edge = times[at] === from || times[at] === last;
      const digest = edge ? digestOf(event) : '';
      const known = times[at] === from && seen.has(digest);
      if (times[at] === last) next.add(digest);
      if (!known) yield event;
    }
    await passed?.(positionOf(last));
    if (last === end && page.length < limit) return;
    // A page of one moment alone does not lead on: ask for more of them at once.
    if (last > from) limit = pageSize;
    else if (limit < MOST && page.length >= limit) limit = Math.min(MOST, limit * 4);
    else throw endless(client, from);
    from = last;
    seen = next;
  }
}

/** The whole milliseconds of the events of a page, checked: ascending, and between what was asked for. */
function timesOf(
  client: MarquezClient,
  page: readonly unknown[],
  from: Instant,
  end: Instant = Number.POSITIVE_INFINITY,
): readonly Instant[] {
  let least = Math.floor(from);
  return page.map((event) => {
    const time = isObject(event) && typeof event.eventTime === 'string' ? instantOf(event.eventTime) : null;
    const whole = time === null ? null : Math.floor(time);
    if (whole === null || whole < least || whole > end) throw unordered(client);
    least = whole;
    return whole;
  });
}

function digestOf(event: unknown): string {
  return createHash('sha256').update(canonicalJson(event)).digest('base64');
}

function positionOf(instant: Instant): string {
  return `${formatTimestamp(BigInt(Math.floor(instant)) * 1_000_000n).slice(0, 23)}Z`;
}

function unordered({ name }: MarquezClient): FailedError {
  return new FailedError('lineage/api-answer', `${name} sent events without a time or out of order`, {
    remedy:
      'Events could be missed, so none are used: a server before it may ignore after, before or sortDirection',
    data: { address: name },
  });
}

function endless({ name }: MarquezClient, from: Instant): FailedError {
  return new FailedError('lineage/api-endless', `${name} does not lead on from ${positionOf(from)}`, {
    remedy:
      'It sends nothing new although it has newer events: a cache or a proxy before it may ignore the query',
    data: { address: name, position: positionOf(from) },
  });
}
