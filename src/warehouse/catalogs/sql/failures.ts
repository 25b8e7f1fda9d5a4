import { FailedError, InputError, LetheError } from '../../../errors.ts';

/** The error where a database cannot be reached, or does not let anybody in; nothing was sent. */
export function unreachable(shown: string, why: string): FailedError {
  return new FailedError('catalog/unreachable', `The catalog at ${shown} cannot be reached (${why})`, {
    remedy:
      'Nothing was changed by this step. Check that the database is up and the address right, then run again',
    data: { catalog: shown, error: why },
  });
}

/** The error where a connection ends while a statement is under way: it may have been carried out. */
export function connectionLost(shown: string, why: string): FailedError {
  return new FailedError(
    'catalog/connection-lost',
    `The connection to the catalog at ${shown} was lost (${why})`,
    {
      remedy:
        'Check that the database is up, then run again: what was committed is found by reading the table',
      data: { catalog: shown, error: why },
    },
  );
}

/** Whether the statement may have been carried out all the same. */
export function isLost(cause: unknown): boolean {
  return cause instanceof LetheError && cause.code === 'catalog/connection-lost';
}

/** Whether waiting may help: nothing was done, or, for a statement that only reads, it does no harm to do it again. */
export function isPassing(cause: unknown): boolean {
  return (
    cause instanceof LetheError &&
    (cause.code === 'catalog/busy' || cause.code === 'catalog/unreachable' || isLost(cause))
  );
}

/** The error for a statement that the database refused; its own text can quote values, so only its code is told. */
export function sqlFailed(shown: string, code: string, hint: string): FailedError {
  return new FailedError(
    'catalog/sql-failed',
    `The catalog at ${shown} refused a statement (${code}${hint})`,
    {
      remedy:
        'Nothing was changed by it. Check that the user may read and write iceberg_tables, then run again',
      data: { catalog: shown, error: code },
    },
  );
}

/** The error where a driver is not installed. */
export function noDriver(name: string, kind: string): InputError {
  return new InputError(
    'catalog/no-driver',
    `A catalog in ${kind} needs the package ${name}, which is not installed`,
    {
      remedy: `Install it beside lethe: npm install ${name}`,
      data: { package: name },
    },
  );
}
