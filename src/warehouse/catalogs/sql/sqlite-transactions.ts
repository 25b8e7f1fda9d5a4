import type Libsql from 'libsql';
import { FailedError } from '../../../errors.ts';
import { type Patience, pause } from '../patience.ts';
import { sqlFailed } from './failures.ts';

/** Waiting for another process's lock ends after this much of it; engines hold theirs for milliseconds. */
const LONGEST_WAIT_MS = 60_000;
const BACKOFF = { firstMs: 4, longestMs: 250 };

const BEGIN = {
  // The second statement takes the lock that a bare BEGIN does not.
  read: ['BEGIN', 'SELECT 1 FROM sqlite_master LIMIT 1'],
  write: ['BEGIN IMMEDIATE'],
} as const;

/** Runs work in a transaction of its own, one after the other. */
export type Transactions = <T>(kind: 'read' | 'write', work: () => T) => Promise<T>;

/**
 * Transactions that wait for the locks of other processes, before the work and before the commit, never in it. In libsql 0.5 a
 * prepared statement that meets a lock is not ended: later statements then seem to be carried out, and are not committed (measured:
 * two processes, one commit in 600 lost). A transaction that holds its lock before the first statement meets none.
 */
export function transactions(
  database: Libsql.Database,
  { shown, patience }: { readonly shown: string; readonly patience: Patience },
): Transactions {
  let last: Promise<unknown> = Promise.resolve();

  const waiting = async (statements: readonly string[], undo: boolean): Promise<void> => {
    for (let tried = 0, waited = 0; ; tried += 1) {
      try {
        for (const statement of statements) database.exec(statement);
        return;
      } catch (cause) {
        const isBusy = /^SQLITE_(BUSY|LOCKED)/.test(codeOf(cause));
        if (undo || !isBusy || waited >= LONGEST_WAIT_MS) rollBack(database);
        if (!isBusy) throw failed(shown, codeOf(cause));
        if (waited >= LONGEST_WAIT_MS) throw busy(shown);
      }
      waited += await pause(patience, tried, BACKOFF);
    }
  };
  const carryOut = async <T>(kind: 'read' | 'write', work: () => T): Promise<T> => {
    await waiting(BEGIN[kind], true);
    let result: T;
    try {
      result = work();
    } catch (cause) {
      rollBack(database);
      throw failed(shown, codeOf(cause));
    }
    // Readers keep a commit waiting; what was written is kept until they have gone.
    await waiting(['COMMIT'], false);
    return result;
  };
  return (kind, work) => {
    const done = last.then(() => carryOut(kind, work));
    last = done.catch(() => {});
    return done;
  };
}

/** Nothing to undo is as good as undone. */
function rollBack(database: Libsql.Database): void {
  try {
    if (database.inTransaction) database.exec('ROLLBACK');
  } catch {
    // The database has undone it already.
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
}

function failed(shown: string, code: string): FailedError {
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new FailedError('catalog/damaged', `${shown} is no database, or a damaged one (${code})`, {
      remedy: 'Correct the url of the catalog, or restore the file from a copy',
      data: { catalog: shown, error: code },
    });
  }
  return sqlFailed(shown, code, code.startsWith('SQLITE_READONLY') ? ': it may only be read' : '');
}

function busy(shown: string): FailedError {
  return new FailedError('catalog/busy', `Another process keeps ${shown} locked`, {
    remedy: 'Nothing was changed by this step. End the process that holds the lock, then run again',
    data: { catalog: shown },
  });
}
