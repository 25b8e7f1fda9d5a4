import * as z from 'zod';
import { ANSWERS } from '../answers.ts';
import type { ErasureDecision, ErasureException, Subject } from '../governance.ts';
import type { TomlDocument } from '../toml/document.ts';
import type { KeyPath } from '../toml/places.ts';
import { readNamed, readValue, table } from '../toml/read.ts';
import { clearColumn, columnName, day, tableName, text } from './pieces.ts';
import { qualifiedColumn } from './qualified-column.ts';

const ID_TYPES = ['int', 'long', 'text', 'uuid'] as const;
const ACTIONS = ['delete', 'rebuild', 'clear', 'ignore'] as const;

const idColumns = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(columnName).min(1))
  .readonly();

const exception = table({
  reason: text,
  decided_by: text,
  erase_columns: z.array(clearColumn),
  legal_basis: text.optional(),
  review_by: day.optional(),
  subjects: z.array(text).min(1).optional(),
  covers: z.array(tableName).default([]),
});

const decision = table({
  answers: z.array(z.enum(ANSWERS as [string, ...string[]])).min(1),
  action: z.enum(ACTIONS),
  by: z.array(columnName).min(1).optional(),
  columns: z.array(clearColumn).min(1).optional(),
  refs: z.unknown().optional(),
  reason: text,
  decided_by: text,
});

/** Reads `[erasure.subjects.…]`. `tables` are the table names that the files know, to tell a table from a nested column. */
export function readSubjects(document: TomlDocument, tables: ReadonlySet<string>): Map<string, Subject> {
  const subject = table({
    id_type: z.enum(ID_TYPES),
    id_columns: z.array(idColumns).min(1),
    identifying: z.array(qualifiedColumn(tables)),
  });
  return readNamed(document, ['erasure', 'subjects'], (value, path, name) => {
    const read = readValue(document, path, subject, value);
    if (read === null) return null;
    const { id_type: idType, id_columns: columns, identifying } = read;
    return { name, idType, idColumns: columns, identifying, at: document.placeOf(path) };
  });
}

/** Reads `[erasure.exceptions."…"]`. */
export function readExceptions(document: TomlDocument): Map<string, ErasureException> {
  return readNamed(document, ['erasure', 'exceptions'], (value, path, name) => {
    const read = readValue(document, path, exception, value);
    if (read === null) return null;
    return {
      table: name,
      reason: read.reason,
      decidedBy: read.decided_by,
      eraseColumns: read.erase_columns,
      covers: read.covers,
      at: document.placeOf(path),
      ...(read.legal_basis !== undefined && { legalBasis: read.legal_basis }),
      ...(read.review_by !== undefined && { reviewBy: read.review_by }),
      ...(read.subjects !== undefined && { subjects: read.subjects }),
    };
  });
}

/** Reads `[erasure.decisions."…"]`, or `[[…]]` for several of one table. */
export function readDecisions(document: TomlDocument): Map<string, readonly ErasureDecision[]> {
  return readNamed(document, ['erasure', 'decisions'], (value, path, name) => {
    const found = (Array.isArray(value) ? value : [value]).flatMap(
      (one, index) => readDecision(document, Array.isArray(value) ? [...path, index] : path, name, one) ?? [],
    );
    checkAnsweredOnce(document, path, found);
    return found.length === 0 ? null : found;
  });
}

function readDecision(
  document: TomlDocument,
  path: KeyPath,
  name: string,
  value: unknown,
): ErasureDecision | null {
  const read = readValue(document, path, decision, value);
  const refs = readNamed(document, [...path, 'refs'], (what, refPath) =>
    readValue(document, refPath, z.literal('drop'), what),
  );
  if (read === null) return null;
  const found: ErasureDecision = {
    table: name,
    answers: read.answers,
    action: read.action,
    by: read.by ?? [],
    columns: read.columns ?? [],
    refs,
    reason: read.reason,
    decidedBy: read.decided_by,
    at: document.placeOf(path),
  };
  return checkDecision(document, path, found) ? found : null;
}

/** Two answers to one question contradict each other, save that rows which a delete leaves may be cleared. */
function checkAnsweredOnce(
  document: TomlDocument,
  path: KeyPath,
  decisions: readonly ErasureDecision[],
): void {
  for (const [at, { answers, action }] of decisions.entries()) {
    const other = decisions.slice(0, at).find((earlier) => {
      const together = [earlier.action, action].sort().join();
      return together !== 'clear,delete' && earlier.answers.some((code) => answers.includes(code));
    });
    if (other === undefined) continue;
    const message = `another decision for this table answers ${other.answers.filter((code) => answers.includes(code)).join(', ')} too`;
    document.fault({
      code: 'governance/contradiction',
      path: [...path, at, 'answers'],
      atKey: true,
      message,
    });
  }
}

/**
 * Deleting needs `by` and clearing needs `columns`, unless the entry is about refs. `by` also says in which rows columns are
 * cleared; beside any other action either would be lost in silence.
 */
function checkDecision(document: TomlDocument, path: KeyPath, found: ErasureDecision): boolean {
  const before = document.faults.length;
  const parts = [
    { key: 'by', neededFor: 'delete', allowedFor: ['delete', 'clear'], given: found.by.length > 0 },
    { key: 'columns', neededFor: 'clear', allowedFor: ['clear'], given: found.columns.length > 0 },
  ];
  for (const { key, neededFor, allowedFor, given } of parts) {
    if (found.action === neededFor && !given && found.refs.size === 0) {
      const message = `missing: action = "${neededFor}" needs it`;
      document.fault({ code: 'governance/missing-key', path: [...path, key], atKey: true, message });
    }
    if (!allowedFor.includes(found.action) && given) {
      const message = `action = "${found.action}" has no use for it`;
      document.fault({ code: 'governance/contradiction', path: [...path, key], atKey: true, message });
    }
  }
  return document.faults.length === before;
}
