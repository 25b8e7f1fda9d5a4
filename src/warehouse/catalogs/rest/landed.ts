import type { TableCommit } from '../../catalog.ts';
import type { TableMetadata } from '../../iceberg/metadata/metadata.ts';
import type { Update } from '../../iceberg/metadata/updates.ts';

/**
 * What a state of a table says about a commit whose answer is not to be trusted (hazard 44).
 *
 * - `landed`: it was made, and the state has it, or it changes nothing any more.
 * - `lost`: another commit took its place; it cannot be made any more.
 * - `open`: neither; it may still come.
 */
export type Landing = 'landed' | 'lost' | 'open';

/** Reads off a state whether a commit was made. */
export function landingOf(metadata: TableMetadata, { requirements, updates }: TableCommit): Landing {
  const added = updates.flatMap((update) =>
    update.action === 'add-snapshot' ? [update.snapshot['snapshot-id']] : [],
  );
  if (added.length === 0) return updates.every((update) => isDone(metadata, update)) ? 'landed' : 'open';
  const id = added[0];
  // A snapshot that was expired meanwhile is still the parent of the one that followed it.
  if (metadata.snapshots.some((snapshot) => snapshot.id === id || snapshot.parentId === id)) return 'landed';
  for (const requirement of requirements) {
    if (requirement.type === 'assert-table-uuid' && requirement.uuid !== metadata.uuid) return 'lost';
    if (requirement.type !== 'assert-ref-snapshot-id') continue;
    const head = metadata.refs.get(requirement.ref)?.snapshotId ?? null;
    if (head !== requirement['snapshot-id'] && descends(metadata, head, requirement['snapshot-id']))
      return 'lost';
  }
  return 'open';
}

/** Whether every step from a snapshot back to another one is known: then none of them was left out, and expired. */
function descends(metadata: TableMetadata, from: bigint | null, to: bigint | null): boolean {
  const parents = new Map(metadata.snapshots.map(({ id, parentId }) => [id, parentId]));
  for (let at = from; at !== to; ) {
    const parent = at === null ? undefined : parents.get(at);
    if (parent === undefined || at === null) return false;
    parents.delete(at);
    at = parent;
  }
  return true;
}

function isDone(metadata: TableMetadata, update: Update): boolean {
  switch (update.action) {
    case 'set-properties':
      return Object.entries(update.updates).every(([name, value]) => metadata.properties[name] === value);
    case 'remove-snapshots':
      return metadata.snapshots.every(({ id }) => !update['snapshot-ids'].includes(id));
    case 'remove-snapshot-ref':
      return !metadata.refs.has(update['ref-name']);
    case 'set-snapshot-ref':
      return metadata.refs.get(update['ref-name'])?.snapshotId === update['snapshot-id'];
    case 'remove-statistics':
      return metadata.statistics.every(({ snapshotId }) => snapshotId !== update['snapshot-id']);
    case 'remove-partition-statistics':
      return metadata.partitionStatistics.every(({ snapshotId }) => snapshotId !== update['snapshot-id']);
    case 'add-snapshot':
      return false;
  }
}
