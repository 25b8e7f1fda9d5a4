import * as z from 'zod';
import type { Day } from '../values/time.ts';

/**
 * What an entry says of one request and one person: `open` before the first delete, `closed` when a scan found nothing.
 * Both count as erased: an unfinished erasure must not let a load bring the person back.
 */
export type EntryState = 'open' | 'closed';

/** A person as the register knows them: nothing but a keyed hash. */
export interface PersonHash {
  /** The kind of subject, `learner`. */
  readonly subject: string;
  readonly keyId: string;
  /** HMAC-SHA256 in lower-case hex (rule G1). */
  readonly hash: string;
}

/** One event of the register. */
export interface Entry extends PersonHash {
  readonly request: string;
  readonly state: EntryState;
  readonly day: Day;
}

/** A line of the register: an event, or the check value by which a wrong key is told from the right one. */
export type RegisterLine =
  | ({ readonly kind: 'event' } & Entry)
  | { readonly kind: 'key'; readonly keyId: string; readonly check: string };

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().min(1);
const line = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('key'), keyId: name, check: hex }),
  z.strictObject({
    kind: z.literal('event'),
    request: name,
    subject: name,
    keyId: name,
    hash: hex,
    state: z.enum(['open', 'closed']),
    day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  }),
]);

/** One line, or null where it is none: a state that this version does not know is none either, since it may mean a hold. */
export function readLine(parsed: unknown): RegisterLine | null {
  const read = line.safeParse(parsed);
  return read.success ? read.data : null;
}
