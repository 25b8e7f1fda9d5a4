import { hostname } from 'node:os';
import { pid } from 'node:process';
import { threadId } from 'node:worker_threads';
import * as z from 'zod';
import { LetheError } from '../../../errors.ts';
import { isAlive, ownStart } from '../../../storage/processes.ts';
import type { Storage } from '../../../storage/storage.ts';
import { parseJson, stringifyJson } from '../../../values/json.ts';

const attemptRecord = z.object({
  host: z.string(),
  pid: z.number(),
  /** Tells the process from a later one of its number; null where the system does not. */
  started: z.string().nullable().default(null),
  thread: z.number(),
  /** Files that go once its commit is made. */
  removing: z.array(z.string()).default([]),
});

/** What the record of an attempt says. */
export type AttemptRecord = z.output<typeof attemptRecord>;

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
  const record = { host: hostname(), pid, started: ownStart(), thread: threadId, removing };
  return new TextEncoder().encode(stringifyJson(record));
}

/** Null where the record is gone meanwhile or says nothing; it is written whole or not at all. */
export async function readRecord(storage: Storage, location: string): Promise<AttemptRecord | null> {
  try {
    const text = new TextDecoder().decode(await storage.read(location));
    return attemptRecord.safeParse(parseJson(text)).data ?? null;
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
  return (here ? begun.has(id) : isAlive(record.pid, record.started)) ? 'living' : 'dead';
}
