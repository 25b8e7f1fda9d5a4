import type { DataFile } from '../../data-file.ts';
import { type DeleteKind, deleteKind } from '../../data-file.ts';
import type { CommitNote } from '../../warehouse.ts';
import type { SnapshotMetadata } from '../metadata/metadata.ts';
import { partitionKey } from '../read/delete-scope.ts';

/** What a snapshot did, for its summary. */
export interface SnapshotWork {
  readonly operation: 'append' | 'overwrite' | 'delete' | 'replace';
  readonly added: readonly DataFile[];
  readonly removed: readonly DataFile[];
  readonly manifests: { readonly created: number; readonly kept: number; readonly replaced: number };
  readonly note: CommitNote;
}

/** Java's rule: a commit that only adds is an append, one that only drops files a delete, both an overwrite. */
export function operationOf(added: number, removed: number): 'append' | 'overwrite' | 'delete' {
  if (removed === 0) return 'append';
  return added === 0 ? 'delete' : 'overwrite';
}

/**
 * The summary of a snapshot: the note, then the counts under the specification's names, all of them text. A total is the
 * previous one plus what came and less what went; where the previous is missing, so is the next.
 */
export function summaryOf(previous: SnapshotMetadata | null, work: SnapshotWork): Record<string, string> {
  const { added, removed, manifests } = work;
  const summary: Record<string, string> = { ...work.note, operation: work.operation };
  const changes: readonly Change[] = [
    { total: 'data-files', plus: 'added-data-files', minus: 'deleted-data-files', of: countOf('data') },
    { total: 'records', plus: 'added-records', minus: 'deleted-records', of: recordsOf('data') },
    {
      total: 'files-size',
      plus: 'added-files-size',
      minus: 'removed-files-size',
      of: ({ fileSize }) => fileSize,
    },
    { total: 'delete-files', plus: 'added-delete-files', minus: 'removed-delete-files', of: isDelete },
    { minus: 'removed-equality-delete-files', of: ofKind('equality-deletes') },
    { minus: 'removed-position-delete-files', of: ofKind('position-deletes') },
    { minus: 'removed-dvs', of: ofKind('deletion-vectors') },
    {
      total: 'position-deletes',
      plus: 'added-position-deletes',
      minus: 'removed-position-deletes',
      of: recordsOf('position-deletes'),
    },
    {
      total: 'equality-deletes',
      plus: 'added-equality-deletes',
      minus: 'removed-equality-deletes',
      of: recordsOf('equality-deletes'),
    },
  ];
  for (const { total, plus, minus, of } of changes) {
    const [came, went] = [sum(added, of), sum(removed, of)];
    if (came > 0n && plus !== undefined) summary[plus] = String(came);
    if (went > 0n) summary[minus] = String(went);
    if (total === undefined) continue;
    const before = previous === null ? '0' : previous.summary[`total-${total}`];
    if (before !== undefined && /^\d+$/.test(before)) {
      const after = BigInt(before) + came - went;
      if (after >= 0n) summary[`total-${total}`] = String(after);
    }
  }
  const partitions = new Set([...added, ...removed].map(partitionKey));
  summary['changed-partition-count'] = String(partitions.size);
  summary['manifests-created'] = String(manifests.created);
  summary['manifests-kept'] = String(manifests.kept);
  summary['manifests-replaced'] = String(manifests.replaced);
  return summary;
}

interface Change {
  readonly total?: string;
  readonly plus?: string;
  readonly minus: string;
  readonly of: (file: DataFile) => bigint;
}

function countOf(content: DataFile['content']): (file: DataFile) => bigint {
  return (file) => (file.content === content ? 1n : 0n);
}

function recordsOf(content: DataFile['content']): (file: DataFile) => bigint {
  return (file) => (file.content === content ? file.recordCount : 0n);
}

function isDelete(file: DataFile): bigint {
  return file.content === 'data' ? 0n : 1n;
}

function ofKind(kind: DeleteKind): (file: DataFile) => bigint {
  return (file) => (file.content !== 'data' && deleteKind(file) === kind ? 1n : 0n);
}

function sum(files: readonly DataFile[], of: (file: DataFile) => bigint): bigint {
  return files.reduce((total, file) => total + of(file), 0n);
}
