import { RefusedError } from '../../../errors.ts';
import type { LoadedTable, TableCommit } from '../../catalog.ts';

/**
 * The commit that drops a branch or a tag as it is now; null where there is none of that name.
 *
 * @throws RefusedError `iceberg/main` for the branch that the table itself stands on
 */
export function stageDropRef({ table, metadata }: LoadedTable, ref: string): TableCommit | null {
  if (ref === 'main') {
    throw new RefusedError(
      'iceberg/main',
      `The branch main of ${table} is the table itself, and is not dropped`,
      {
        remedy: 'Name another branch or a tag',
        data: { table, ref },
      },
    );
  }
  const found = metadata.refs.get(ref);
  if (found === undefined) return null;
  return {
    requirements: [
      { type: 'assert-table-uuid', uuid: metadata.uuid },
      { type: 'assert-ref-snapshot-id', ref, 'snapshot-id': found.snapshotId },
    ],
    updates: [{ action: 'remove-snapshot-ref', 'ref-name': ref }],
  };
}
