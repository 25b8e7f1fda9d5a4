import type { Day } from '../values/time.ts';
import type { Governance } from './governance.ts';
import { isTable, type TomlDocument } from './toml/document.ts';
import type { KeyPath } from './toml/places.ts';

/** The files by their role; one that is absent is null. */
export interface Documents {
  readonly retention: TomlDocument;
  readonly metadata: TomlDocument | null;
  readonly consent: TomlDocument | null;
  readonly lineage: TomlDocument | null;
}

/**
 * Notes what no single entry can show: contradictions between sections and between files. Names are taken from the files as
 * they are written, so that an entry with another fault is neither missed here nor missed as a name.
 */
export function crossCheck(governance: Governance, documents: Documents, day: Day | undefined): void {
  checkRules(documents.retention);
  if (day !== undefined) checkReviews(governance, documents.retention, day);
  checkSubjects(documents);
}

function checkRules(document: TomlDocument): void {
  const ended = Object.keys(tableAt(document, ['tables']));
  for (const table of Object.keys(tableAt(document, ['erasure', 'exceptions']))) {
    if (ended.includes(table)) continue;
    document.fault({
      code: 'governance/exception-without-rule',
      path: ['erasure', 'exceptions', table],
      atKey: true,
      message: 'no retention rule ends this table, so the exception would keep its rows for ever',
      candidates: ended,
    });
  }
}

function checkReviews(governance: Governance, document: TomlDocument, day: Day): void {
  for (const [table, { reviewBy }] of governance.exceptions) {
    if (reviewBy === undefined || reviewBy >= day) continue;
    document.fault({
      code: 'governance/review-overdue',
      path: ['erasure', 'exceptions', table, 'review_by'],
      message: `the exception was to be reviewed by then, and the day is ${day}`,
      found: reviewBy,
      candidates: [],
    });
  }
}

/** Every place that names a kind of subject names one that `[erasure.subjects]` has. */
function checkSubjects({ retention, metadata, consent }: Documents): void {
  const known = Object.keys(tableAt(retention, ['erasure', 'subjects']));
  const check = (document: TomlDocument, path: KeyPath, subject: unknown) => {
    if (typeof subject !== 'string' || known.includes(subject)) return;
    document.fault({
      code: 'governance/unknown-subject',
      path,
      message: 'no [erasure.subjects] entry has this name',
      found: subject,
      allowed: known,
    });
  };
  for (const [table, exception] of tablesAt(retention, ['erasure', 'exceptions'])) {
    const subjects = Array.isArray(exception.subjects) ? exception.subjects : [];
    for (const [index, subject] of subjects.entries()) {
      check(retention, ['erasure', 'exceptions', table, 'subjects', index], subject);
    }
  }
  if (metadata !== null) {
    for (const [table] of tablesAt(metadata, ['tables'])) {
      const path = ['tables', table, 'columns'];
      for (const [name, column] of tablesAt(metadata, path)) {
        check(metadata, [...path, name, 'identifies'], column.identifies);
      }
    }
  }
  if (consent !== null) {
    for (const [purpose, { subject }] of tablesAt(consent, ['purposes'])) {
      check(consent, ['purposes', purpose, 'subject'], subject);
    }
  }
}

function tableAt(document: TomlDocument, path: KeyPath): Readonly<Record<string, unknown>> {
  const value = document.valueAt(path);
  return isTable(value) ? value : {};
}

/** The entries of a table that are tables themselves. */
function tablesAt(document: TomlDocument, path: KeyPath) {
  return Object.entries(tableAt(document, path)).flatMap(([name, value]) =>
    isTable(value) ? [[name, value] as const] : [],
  );
}
