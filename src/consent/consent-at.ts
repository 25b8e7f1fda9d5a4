import type { Instant } from '../values/time.ts';
import type { ConsentState } from './states.ts';

/** One change of one person's consent to one purpose (rule C1). */
export interface ConsentRecord {
  /** The canonical id of the person. */
  readonly subject: string;
  /** The name of the purpose in `consent.toml`. */
  readonly purpose: string;
  readonly state: ConsentState;
  readonly changedAt: Instant;
}

/** Whose consent to what is asked for, as of when. */
export interface ConsentQuestion {
  readonly records: Iterable<ConsentRecord>;
  readonly purpose: string;
  readonly subject: string;
  /** Records of later changes do not count yet. */
  readonly instant: Instant;
}

/** Of two changes in one millisecond the later in this list stands, so that the order of arrival never decides. */
const CAUTION: readonly ConsentState[] = ['given', 'unknown', 'expired', 'refused', 'withdrawn'];

/**
 * The state of one person's consent at an instant (rule C1): that of the last change up to then, `unknown` where there is
 * none. Records can come late, twice and in any order. Of two changes at the same instant the more cautious one stands.
 *
 * @example consentAt({ records, purpose: 'marketing_email', subject: '3590', instant })
 */
export function consentAt({ records, purpose, subject, instant }: ConsentQuestion): ConsentState {
  let last: ConsentRecord | null = null;
  for (const record of records) {
    if (record.purpose !== purpose || record.subject !== subject || record.changedAt > instant) continue;
    if (last === null || isAfter(record, last)) last = record;
  }
  return last?.state ?? 'unknown';
}

/** The states of everybody who has a record for a purpose, at an instant. */
export function consentsAt({
  records,
  purpose,
  instant,
}: Omit<ConsentQuestion, 'subject'>): Map<string, ConsentState> {
  const last = new Map<string, ConsentRecord>();
  for (const record of records) {
    if (record.purpose !== purpose || record.changedAt > instant) continue;
    const known = last.get(record.subject);
    if (known === undefined || isAfter(record, known)) last.set(record.subject, record);
  }
  return new Map([...last].map(([subject, { state }]) => [subject, state]));
}

function isAfter(record: ConsentRecord, other: ConsentRecord): boolean {
  if (record.changedAt !== other.changedAt) return record.changedAt > other.changedAt;
  return CAUTION.indexOf(record.state) > CAUTION.indexOf(other.state);
}
