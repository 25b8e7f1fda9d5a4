import { FailedError, InputError, LetheError, RefusedError } from '../../../errors.ts';

/** What a statement was for, in words that hold no value: `reading`, `crm.learners`. */
export interface Doing {
  readonly doing: string;
  readonly table?: string;
  /** The one file that is worked on. */
  readonly file?: string;
}

/** The classes of DuckDB's errors whose name says something useful and nothing private. */
const CLASSES = [
  'Out of Memory',
  'IO',
  'Conversion',
  'Invalid Input',
  'Out of Range',
  'Constraint',
  'Binder',
  'Parser',
  'Catalog',
  'Not implemented',
  'Serialization',
  'Internal',
  'INTERRUPT',
] as const;

/**
 * What DuckDB threw, as a `FailedError` `plane/duckdb`. DuckDB quotes values of rows and of the statement in its messages, so
 * neither its text nor the error itself goes on; only the class of the error does. Errors of Lethe pass unchanged.
 */
export function duckdbError(doing: Doing, error: unknown): LetheError {
  if (error instanceof LetheError) return error;
  const text = error instanceof Error ? error.message : '';
  const kind = CLASSES.find((name) => text.startsWith(`${name} Error`)) ?? 'unnamed';
  const where = [doing.table, doing.file].filter((part) => part !== undefined).join(', ');
  return new FailedError(
    'plane/duckdb',
    `DuckDB failed while ${doing.doing}${where === '' ? '' : ` ${where}`} (${kind} error; its message is withheld, as it can quote values)`,
    { remedy: remedyFor(kind), data: { ...doing, kind } },
  );
}

function remedyFor(kind: string): string {
  if (kind === 'Out of Memory') return 'Give the plane more memory, or fewer threads';
  if (kind === 'IO') return 'Check free space and permissions, then run again; nothing was changed';
  return 'Nothing was changed; check that the data files are what the metadata says';
}

/** A data file that cannot be used; says which and why. Nothing was read from it. */
export function fileError(
  code: 'file-gone' | 'file-damaged' | 'file-encrypted' | 'file-mismatch',
  at: { readonly table: string; readonly file: string; readonly why: string },
): FailedError {
  return new FailedError(`plane/${code}`, `Data file ${at.file} of ${at.table} cannot be used: ${at.why}`, {
    remedy:
      'Restore the file, or take it out of the table with the engine that wrote it; no file was changed',
    data: { table: at.table, file: at.file },
  });
}

/** A file or a request that this plane does not take; nothing was changed. */
export function refused(
  code: string,
  message: string,
  remedy: string,
  data: Record<string, unknown>,
): RefusedError {
  return new RefusedError(`plane/${code}`, message, { remedy, data });
}

/** Rows that do not fit the table. The message names column and types, never the value. */
export function rowsError(
  code: 'column-missing' | 'column-unknown' | 'null-in-required' | 'type' | 'value',
  message: string,
  data: Record<string, unknown>,
): InputError {
  return new InputError(`plane/${code}`, message, {
    remedy: 'Make the rows fit the schema of the table; nothing was written',
    data,
  });
}

/** Whether a failure can come from a file: a full memory or an interrupt says nothing about one. */
export function mayBeAFile(error: unknown): boolean {
  if (!(error instanceof FailedError) || error.code !== 'plane/duckdb') return false;
  return error.data.kind !== 'Out of Memory' && error.data.kind !== 'INTERRUPT';
}
