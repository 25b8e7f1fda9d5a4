import type { Storage } from '../../../storage/storage.ts';
import type { Instant } from '../../../values/time.ts';
import type { StagedExpiry } from '../../table-format.ts';
import type { ExpireOptions } from '../../warehouse.ts';
import { ancestors } from '../metadata/ancestors.ts';
import type { RefMetadata, TableMetadata } from '../metadata/metadata.ts';
import { integerProperty } from '../metadata/properties.ts';
import type { Update } from '../metadata/updates.ts';
import type { TableReader } from '../read/table-reader.ts';
import { filesOfSnapshots } from './referenced.ts';

/** What {@link stageExpiry} needs. */
export interface ExpiryContext {
  readonly reader: TableReader;
  readonly storage: Storage;
  readonly now: Instant;
}

/**
 * Says which snapshots end and which files only they held. The rules are those of Java's `RemoveSnapshots`: a ref ends by its
 * own age; a branch keeps its newest snapshots, as many as it or the table says, and those younger than the limit; what hangs
 * on no branch is kept while it is young. A branch's own settings outrank the caller's.
 */
export async function stageExpiry(
  { reader, storage, now }: ExpiryContext,
  options: ExpireOptions,
): Promise<StagedExpiry> {
  const { metadata } = reader;
  const refs = retainedRefs(metadata, now);
  const kept = retainedSnapshots(metadata, refs, { now, options });
  const gone = metadata.snapshots.filter(({ id }) => !kept.has(id));
  const droppedRefs = [...metadata.refs.keys()].filter((name) => !refs.has(name));
  const updates: Update[] = droppedRefs.map((name) => ({ action: 'remove-snapshot-ref', 'ref-name': name }));
  if (gone.length > 0) updates.push({ action: 'remove-snapshots', 'snapshot-ids': gone.map(({ id }) => id) });
  return {
    snapshots: gone.map(({ id }) => id),
    onlyExpired: await onlyExpired(reader, storage, kept),
    requirements: [
      { type: 'assert-table-uuid', uuid: metadata.uuid },
      // A snapshot that a writer has put a ref on meanwhile must not end.
      ...[...metadata.refs].map(([ref, { snapshotId }]) => ({
        type: 'assert-ref-snapshot-id' as const,
        ref,
        'snapshot-id': snapshotId,
      })),
    ],
    updates,
  };
}

function retainedRefs(metadata: TableMetadata, now: Instant): ReadonlyMap<string, RefMetadata> {
  const longest = integerProperty(
    metadata.properties,
    'history.expire.max-ref-age-ms',
    Number.MAX_SAFE_INTEGER,
  );
  return new Map(
    [...metadata.refs].filter(([name, ref]) => {
      const head = metadata.snapshots.find(({ id }) => id === ref.snapshotId);
      return name === 'main' || (head !== undefined && now - head.timestamp <= (ref.maxRefAgeMs ?? longest));
    }),
  );
}

interface Retention {
  readonly now: Instant;
  readonly options: ExpireOptions;
}

function retainedSnapshots(
  metadata: TableMetadata,
  refs: ReadonlyMap<string, RefMetadata>,
  { now, options }: Retention,
): ReadonlySet<bigint> {
  const byId = new Map(metadata.snapshots.map((snapshot) => [snapshot.id, snapshot]));
  const least =
    options.minToKeep ?? integerProperty(metadata.properties, 'history.expire.min-snapshots-to-keep', 1);
  const kept = new Set<bigint>();
  const onBranch = new Set<bigint>();
  for (const ref of refs.values()) {
    kept.add(ref.snapshotId);
    if (ref.type === 'tag') continue;
    const count = ref.minSnapshotsToKeep ?? Math.max(1, least);
    const cutoff = ref.maxSnapshotAgeMs === undefined ? options.olderThan : now - ref.maxSnapshotAgeMs;
    let keeping = true;
    for (const [index, snapshot] of ancestors(byId, ref.snapshotId).entries()) {
      onBranch.add(snapshot.id);
      keeping &&= index < count || snapshot.timestamp >= cutoff;
      if (keeping) kept.add(snapshot.id);
    }
  }
  for (const { id, timestamp } of metadata.snapshots) {
    if (!onBranch.has(id) && timestamp >= options.olderThan) kept.add(id);
  }
  return kept;
}

/** Files of ended snapshots that none of the kept ones needs, in the form in which metadata names them. */
async function onlyExpired(
  reader: TableReader,
  storage: Storage,
  kept: ReadonlySet<bigint>,
): Promise<readonly string[]> {
  const { snapshots } = reader.metadata;
  const gone = snapshots.filter(({ id }) => !kept.has(id));
  if (gone.length === 0) return [];
  const needed = new Set<string>();
  // All that a manifest of a kept snapshot names is needed, whoever else names it.
  const seen = new Set<string>();
  const staying = snapshots.filter(({ id }) => kept.has(id));
  for await (const file of filesOfSnapshots(reader, staying, seen)) needed.add(storage.normalize(file));
  const files = new Map<string, string>();
  for await (const file of filesOfSnapshots(reader, gone, seen)) {
    const normal = storage.normalize(file);
    if (!needed.has(normal)) files.set(normal, file);
  }
  return [...files.values()].sort();
}
