import type { SnapshotMetadata } from './metadata.ts';

/** A snapshot and those before it, newest first; a cycle in damaged metadata ends the walk. */
export function ancestors(
  byId: ReadonlyMap<bigint, SnapshotMetadata>,
  head: bigint,
): readonly SnapshotMetadata[] {
  const line = new Set<SnapshotMetadata>();
  for (let next = byId.get(head); next !== undefined && !line.has(next); ) {
    line.add(next);
    next = next.parentId === null ? undefined : byId.get(next.parentId);
  }
  return [...line];
}
