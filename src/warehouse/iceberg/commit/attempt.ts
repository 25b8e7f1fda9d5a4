import { Buffer } from 'node:buffer';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import { threadId } from 'node:worker_threads';
import { LetheError } from '../../../errors.ts';
import type { Storage } from '../../../storage/storage.ts';
import { parseJson, stringifyJson } from '../../../values/json.ts';
import type { Random } from '../../../values/time.ts';
import type { WriteTarget } from '../../data-plane.ts';
import type { TableState } from '../../table-format.ts';
import type { TableMetadata } from '../metadata/metadata.ts';

/**
 * One try to change a table. Its id is in the name of every file it writes, and stands on disk, under `metadata/_attempts/`,
 * before the first of them: so the files of an attempt that lost its race or was killed are found and removed, and no erased
 * person stays in a file that nobody knows of (hazard 38).
 */
export interface Attempt extends WriteTarget {
  manifest(): string;
  manifestList(snapshotId: bigint): string;
  /** A commit lost its race: what was written for it goes, except `keep`. The attempt goes on. */
  again(keep: readonly string[]): Promise<void>;
  /** The attempt was committed: its files stay. */
  won(): Promise<void>;
  /** The attempt was not committed: what it wrote goes. */
  lost(): Promise<void>;
}

/** A version 4 UUID out of random bytes. */
export function uuid(random: Random): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The folders that a table writes into; `write.data.path` and `write.metadata.path` may move them. */
export function writeFolders({ location, properties }: Pick<TableMetadata, 'location' | 'properties'>): {
  readonly data: string;
  readonly metadata: string;
} {
  const trimmed = (path: string): string => path.replace(/\/+$/, '');
  return {
    data: trimmed(properties['write.data.path'] ?? `${trimmed(location)}/data`),
    metadata: trimmed(properties['write.metadata.path'] ?? `${trimmed(location)}/metadata`),
  };
}

/** Whose attempt it is, as its record says. */
interface Owner {
  readonly host: string;
  readonly pid: number;
  readonly thread: number;
}

/** The attempts of this thread that have not ended. */
const begun = new Set<string>();

/** Begins an attempt: its record is on disk when this returns. */
export async function beginAttempt(
  storage: Storage,
  metadata: Pick<TableMetadata, 'location' | 'properties'>,
  random: Random,
): Promise<Attempt> {
  const id = uuid(random);
  const folders = writeFolders(metadata);
  const record = `${attemptsFolder(metadata.location)}/${id}.json`;
  const owner: Owner = { host: hostname(), pid, thread: threadId };
  begun.add(id);
  await storage.writeIfAbsent(record, new TextEncoder().encode(stringifyJson(owner)));
  let written: string[] = [];
  let files = 0;
  let manifests = 0;
  const name = (location: string): string => {
    written.push(location);
    return location;
  };
  return {
    next: (extension) => {
      files += 1;
      const number = String(files).padStart(5, '0');
      return name(`${folders.data}/${number}-${id}.${extension.replace(/^\./, '')}`);
    },
    manifest: () => {
      manifests += 1;
      return name(`${folders.metadata}/${id}-m${manifests - 1}.avro`);
    },
    manifestList: (snapshotId) => name(`${folders.metadata}/snap-${snapshotId}-1-${id}.avro`),
    again: async (keep) => {
      const kept = new Set(keep);
      for (const location of written) if (!kept.has(location)) await storage.remove(location);
      written = written.filter((location) => kept.has(location));
    },
    won: async () => {
      await storage.remove(record);
      begun.delete(id);
    },
    lost: async () => {
      for (const location of written) await storage.remove(location);
      await storage.remove(record);
      begun.delete(id);
    },
  };
}

function attemptsFolder(location: string): string {
  return `${location.replace(/\/+$/, '')}/metadata/_attempts`;
}

/** What {@link clearDeadAttempts} needs. */
export interface DeadAttemptSearch {
  readonly storage: Storage;
  readonly state: TableState;
  /** The newest state: asked for once the attempts are known to be dead, so that what they committed last is in it. */
  readonly reload: () => Promise<TableState>;
}

/**
 * Removes what attempts of killed processes wrote and no state of the table names; gives the files removed. An attempt of another
 * machine, or one whose process number is in use again, is taken for alive: its files wait for the sweep's minimum age.
 */
export async function clearDeadAttempts({
  storage,
  state,
  reload,
}: DeadAttemptSearch): Promise<readonly string[]> {
  const { metadata } = state.loaded;
  const records = await recordsWhere(storage, attemptsFolder(metadata.location), 'dead');
  if (records.size === 0) return [];
  const referenced = await (await reload()).referenced();
  const removed: string[] = [];
  const folders = writeFolders(metadata);
  for (const folder of new Set([folders.data, folders.metadata])) {
    for await (const { location } of storage.list(folder)) {
      const id = attemptOf(location);
      if (id === undefined || !records.has(id) || referenced.has(location)) continue;
      if (records.get(id) !== location && (await storage.remove(location))) removed.push(location);
    }
  }
  for (const record of records.values()) await storage.remove(record);
  return removed.sort();
}

/** Tells the files of attempts that a process of this machine is at work on; no sweep takes those, however young it may. */
export async function livingAttempts(storage: Storage, location: string): Promise<(file: string) => boolean> {
  const living = await recordsWhere(storage, attemptsFolder(location), 'living');
  return (file) => living.has(attemptOf(file) ?? '');
}

/** The attempt whose id is in the name of a file, or of the temporary one as which it is written first. */
function attemptOf(file: string): string | undefined {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-m\d+)?\.[a-z]+(?:\.[\d-]+\.tmp)?$/.exec(file)?.[1];
}

/** The records of attempts whose process is gone or at work, by attempt. */
async function recordsWhere(
  storage: Storage,
  folder: string,
  wanted: 'dead' | 'living',
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const { location } of storage.list(storage.normalize(folder))) {
    const id = attemptOf(location);
    if (id !== undefined && (await lifeOf(storage, id, location)) === wanted) found.set(id, location);
  }
  return found;
}

/** `unknown` on another machine. */
async function lifeOf(storage: Storage, id: string, record: string): Promise<'dead' | 'living' | 'unknown'> {
  const owner = await ownerOf(storage, record);
  if (owner === null || owner.host !== hostname()) return 'unknown';
  // A restarted container often has its predecessor's number: then it is this thread's own that it never began.
  const here = owner.pid === pid && owner.thread === threadId;
  return (here ? begun.has(id) : isAlive(owner.pid)) ? 'living' : 'dead';
}

/** Null where the record is gone meanwhile or says nothing; it is written whole or not at all. */
async function ownerOf(storage: Storage, record: string): Promise<Owner | null> {
  try {
    const owner = parseJson(new TextDecoder().decode(await storage.read(record))) as Partial<Owner>;
    const { host, pid: process, thread } = owner;
    if (typeof host !== 'string' || typeof process !== 'number' || typeof thread !== 'number') return null;
    return { host, pid: process, thread };
  } catch (cause) {
    if (cause instanceof LetheError) return null;
    throw cause;
  }
}

function isAlive(process: number): boolean {
  try {
    kill(process, 0);
    return true;
  } catch (cause) {
    return (cause as { readonly code?: string }).code !== 'ESRCH';
  }
}
