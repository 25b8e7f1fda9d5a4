import type { Table } from 'apache-arrow';
import { InputError } from '../errors.ts';
import { arrowColumn } from '../predicate/arrow-column.ts';
import { canonicalId, type IdType } from '../values/id.ts';
import type { ConsentRecord } from './consent-at.ts';
import { parseConsentState } from './states.ts';

/**
 * Reads consent records from an Arrow table with the columns `subject`, `purpose`, `state` and `changed_at` (rule C1). A NULL
 * state is `unknown`. `idType` is that of the purpose's kind of subject.
 *
 * Throws `predicate/no-column`, `consent/state`, and `consent/record` for a row without subject, purpose or instant.
 */
export function consentRecords(table: Table, idType: IdType): ConsentRecord[] {
  const [subjects, purposes, states, instants] = ['subject', 'purpose', 'state', 'changed_at'].map((name) =>
    arrowColumn(table, name),
  );
  if (instants!.family !== 'instant' && instants!.family !== 'timestamp')
    throw notRecord('changed_at is no timestamp');
  return Array.from({ length: table.numRows }, (_, row) => {
    const subject = canonicalId(idType, subjects!.cells[row]);
    const purpose = purposes!.cells[row];
    const state = states!.cells[row] ?? 'unknown';
    const changedAt = instants!.cells[row];
    if (subject === null || typeof purpose !== 'string' || changedAt === null || typeof state !== 'string') {
      throw notRecord(`row ${row + 1} lacks a subject, a purpose or an instant`);
    }
    return {
      subject,
      purpose,
      state: parseConsentState(state),
      changedAt: milliseconds(changedAt as bigint),
    };
  });
}

/** Rounded down, so that a change never counts before it happened by more than its fraction of a millisecond. */
function milliseconds(nanoseconds: bigint): number {
  const rest = ((nanoseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return Number((nanoseconds - rest) / 1_000_000n);
}

function notRecord(why: string): InputError {
  return new InputError('consent/record', `These are no consent records: ${why}`, {
    remedy: 'Give a table with subject, purpose, state and changed_at (a timestamp), none but state NULL',
  });
}
