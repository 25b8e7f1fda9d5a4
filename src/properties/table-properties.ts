import type { Governance } from '../governance/governance.ts';
import type { TableDescription } from '../warehouse/warehouse.ts';
import { classifiedColumns } from './classified.ts';

/** The property that says what the manifests keep of a column, without the column's full name. */
const METRICS = 'write.metadata.metrics.column.';
const MS_PER_DAY = 86_400_000;

/** What a table must look like for these functions: `warehouse.describe` gives it. */
export type DescribedTable = Pick<TableDescription, 'table' | 'columns' | 'properties'>;

/**
 * The properties that keep people out of a table's metadata (rule P1), in name order: a metrics mode for every personal,
 * sensitive and unclassified column, nested ones by full name, and when snapshots expire. Metadata files are cleaned up
 * only where `[snapshots] metadata_versions_to_keep` is set. An id keeps its statistics by being classified `internal`.
 *
 * @example tableProperties(governance, await warehouse.describe('crm.learners'))
 */
export function tableProperties(
  governance: Governance,
  table: DescribedTable,
): Readonly<Record<string, string>> {
  const { snapshots, statistics } = governance;
  const wanted: [string, string][] = [
    ['history.expire.max-snapshot-age-ms', String(snapshots.maxAgeDays * MS_PER_DAY)],
    ['history.expire.min-snapshots-to-keep', String(snapshots.minToKeep)],
  ];
  if (snapshots.metadataVersionsToKeep !== undefined) {
    wanted.push(['write.metadata.delete-after-commit.enabled', 'true']);
    wanted.push(['write.metadata.previous-versions-max', String(snapshots.metadataVersionsToKeep)]);
  }
  for (const { column, classification } of classifiedColumns(governance, table)) {
    if (classification === 'public' || classification === 'internal') continue;
    wanted.push([METRICS + column.name, statistics[classification]]);
  }
  return Object.fromEntries(wanted.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Those of the table's properties that it lacks, or has with another value (rule P2). */
export function propertiesMissingFrom(
  governance: Governance,
  table: DescribedTable,
): Readonly<Record<string, string>> {
  const wanted = Object.entries(tableProperties(governance, table));
  return Object.fromEntries(wanted.filter(([name, value]) => table.properties[name] !== value));
}
