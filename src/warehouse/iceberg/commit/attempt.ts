import { Buffer } from 'node:buffer';
import type { Storage } from '../../../storage/storage.ts';
import type { Random } from '../../../values/time.ts';
import type { WriteTarget } from '../../data-plane.ts';
import { within } from '../../within.ts';
import type { TableMetadata } from '../metadata/metadata.ts';
import { begun, recordBytes, recordOf } from './attempt-record.ts';

/**
 * One try to change a table. Its id is in the name of every file it writes, and stands on disk, under `metadata/_attempts/`,
 * before the first of them: so the files of an attempt that lost its race or was killed are found and removed, and no erased
 * person stays in a file that nobody knows of (hazard 38).
 */
export interface Attempt extends WriteTarget {
  manifest(): string;
  manifestList(snapshotId: bigint): string;
  /** Writes down, before the commit, which files go once it is made: whoever finds the record of a killed process removes them. */
  removing(files: readonly string[]): Promise<void>;
  /** A commit lost its race: what was written for it goes, except `keep`. The attempt goes on. */
  again(keep: readonly string[]): Promise<void>;
  /** The attempt was committed: its files stay. */
  won(): Promise<void>;
  /** The attempt was committed, and what was to be done after that failed: its record stays for the next run. */
  left(): void;
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

/** Where a table's files are put: its location, then what its properties put elsewhere. */
export function foldersOf(metadata: Pick<TableMetadata, 'location' | 'properties'>): readonly string[] {
  const { location } = metadata;
  const { data, metadata: own } = writeFolders(metadata);
  return [location, ...[data, own].filter((folder) => !within(location, folder))];
}

/** What {@link beginAttempt} takes. `removing` is as in {@link Attempt.removing}. */
export interface AttemptOptions {
  readonly storage: Storage;
  readonly random: Random;
  readonly removing: readonly string[];
}

/** Begins an attempt: its record is on disk when this returns. */
export async function beginAttempt(
  metadata: Pick<TableMetadata, 'location' | 'properties'>,
  { storage, random, removing }: AttemptOptions,
): Promise<Attempt> {
  const id = uuid(random);
  const folders = writeFolders(metadata);
  const record = recordOf(metadata.location, id);
  begun.add(id);
  await storage.writeIfAbsent(record, recordBytes(removing));
  let listed = removing.length > 0;
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
    removing: async (files) => {
      if (files.length === 0) return;
      listed = true;
      await storage.replace(record, recordBytes(files));
    },
    again: async (keep) => {
      if (listed) await storage.replace(record, recordBytes([]));
      const kept = new Set(keep);
      for (const location of written) if (!kept.has(location)) await storage.remove(location);
      written = written.filter((location) => kept.has(location));
    },
    won: async () => {
      await storage.remove(record);
      begun.delete(id);
    },
    left: () => {
      begun.delete(id);
    },
    lost: async () => {
      for (const location of written) await storage.remove(location);
      await storage.remove(record);
      begun.delete(id);
    },
  };
}
