import { hostname } from 'node:os';
import { pid } from 'node:process';
import { threadId } from 'node:worker_threads';
import { LetheError } from '../../../errors.ts';
import { isAlive } from '../../../storage/processes.ts';
import type { Storage } from '../../../storage/storage.ts';
import { parseJson, stringifyJson } from '../../../values/json.ts';

/** What the record of an attempt says. */
export interface AttemptRecord {
  readonly host: string;
  readonly pid: number;
  readonly thread: number;
  /** Files that go once its commit is made. */
  readonly removing: readonly string[];
}

/** The attempts of this thread that have not ended. */
export const begun = new Set<string>();

/** The folder of a table in which the records of attempts are. */
export function attemptsFolder(location: string): string {
  return `${location.replace(/\/+$/, '')}/metadata/_attempts`;
}

/** Where the record of an attempt is. */
export function recordOf(location: string, id: string): string {
  return `${attemptsFolder(location)}/${id}.json`;
}

/** A record of this thread. */
export function recordBytes(removing: readonly string[]): Uint8Array {
  const record: AttemptRecord = { host: hostname(), pid, thread: threadId, removing };
  return new TextEncoder().encode(stringifyJson(record));
}

/** Null where the record is gone meanwhile or says nothing; it is written whole or not at all. */
export async function readRecord(storage: Storage, location: string): Promise<AttemptRecord | null> {
  try {
    const record = parseJson(
      new TextDecoder().decode(await storage.read(location)),
    ) as Partial<AttemptRecord>;
    const { host, pid: process, thread, removing = [] } = record;
    if (typeof host !== 'string' || typeof process !== 'number' || typeof thread !== 'number') return null;
    if (!Array.isArray(removing) || removing.some((file) => typeof file !== 'string')) return null;
    return { host, pid: process, thread, removing };
  } catch (cause) {
    if (cause instanceof LetheError) return null;
    throw cause;
  }
}

/** Whether the process of an attempt is gone or at work; `unknown` on another machine. */
export function lifeOf(id: string, record: AttemptRecord | null): 'dead' | 'living' | 'unknown' {
  if (record === null || record.host !== hostname()) return 'unknown';
  // A restarted container often has its predecessor's number: then it is this thread's own that it never began.
  const here = record.pid === pid && record.thread === threadId;
  return (here ? begun.has(id) : isAlive(record.pid)) ? 'living' : 'dead';
}
