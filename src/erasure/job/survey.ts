import { LetheError } from '../../errors.ts';
import { propertiesMissingFrom } from '../../properties/index.ts';
import type { ScanReport, TableReport } from '../../scan/report.ts';
import type { TableDescription } from '../../warehouse/warehouse.ts';
import type { BoundStep } from '../bound-plan.ts';
import { describeOrNull } from './check-tables.ts';
import type { EvidenceTable, ReadFiles, TimeTravel, VersionCounts } from './evidence.ts';
import type { EraseOptions } from './options.ts';

/** What the job did to a table: counts, and the snapshot before. */
export interface TableWork {
  readonly rows: number;
  readonly rowsCleared: number;
  readonly before: bigint | null;
  /** Null where the storage keeps no old versions, or nothing was changed. */
  readonly versions: VersionCounts | null;
}

/**
 * What is left of a table, read after the work and never taken from what an engine said about itself (rule E8): snapshots,
 * refs, delete files, files that no metadata names, properties, and what the scan read.
 */
export async function surveyTable(
  options: Pick<EraseOptions, 'warehouse' | 'governance'>,
  { step }: BoundStep,
  seen: { readonly work: TableWork; readonly report: ScanReport; readonly changed: boolean },
): Promise<EvidenceTable> {
  const { warehouse, governance } = options;
  const { work, report, changed } = seen;
  const description = await describeOrNull(warehouse, step.table);
  const read = report.tables.find((each) => each.table === step.table);
  return {
    action: step.action,
    rows: work.rows,
    cleared: step.clear.map(({ column }) => column),
    rowsCleared: work.rowsCleared,
    job: step.job,
    reason: step.reason,
    decidedBy: step.decidedBy,
    snapshotBefore: work.before?.toString() ?? null,
    snapshotAfter: changed ? (description?.currentSnapshotId?.toString() ?? null) : null,
    timeTravel: changed && description !== null ? await travel(options, description, work.before) : null,
    ...(description === null ? NOT_THERE : leftOf(description)),
    unreferenced: description === null ? 0 : (await warehouse.unreferenced(step.table)).length,
    versions: work.versions,
    propertiesMissing:
      description === null ? [] : Object.keys(propertiesMissingFrom(governance, description)),
    ...readFiles(step.table, read),
  };
}

/** What the scan read in one place, as evidence says it. */
export function readFiles(table: string, report: TableReport | undefined): ReadFiles {
  return {
    table,
    filesRead: report?.files ?? 0,
    filesHolding: report?.holding ?? 0,
    notProven: report?.notProven ?? 0,
    unread: report?.unread ?? [],
  };
}

const NOT_THERE = { snapshotsLeft: 0, refs: [], deleteFilesLeft: 0 };

function leftOf(
  description: TableDescription,
): Pick<EvidenceTable, 'snapshotsLeft' | 'refs' | 'deleteFilesLeft'> {
  return {
    snapshotsLeft: description.snapshots.filter(({ id }) => id !== description.currentSnapshotId).length,
    refs: description.refs.map(({ name, type, snapshotId }) => ({
      name,
      type,
      snapshotId: snapshotId.toString(),
    })),
    deleteFilesLeft: description.deleteFiles,
  };
}

/** Tries to read the snapshot from before the erasure (rule E8): that it is refused is the proof, not that it was expired. */
async function travel(
  { warehouse }: Pick<EraseOptions, 'warehouse'>,
  { table, currentSnapshotId }: TableDescription,
  before: bigint | null,
): Promise<TimeTravel | null> {
  if (before === null || before === currentSnapshotId) return null;
  const snapshotId = before.toString();
  try {
    await warehouse.count(table, undefined, { snapshotId: before });
    return { snapshotId, refused: false, code: null };
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    return { snapshotId, refused: true, code: error.code };
  }
}
