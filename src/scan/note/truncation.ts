import { RefusedError } from '../../errors.ts';
import type { QualifiedColumn } from '../../governance/governance.ts';
import type { TableDescription } from '../../warehouse/warehouse.ts';

const METRICS = 'write.metadata.metrics.';
/** What Iceberg's writers keep where nothing is set; also what older manifests may hold after a setting was changed. */
const USUAL = 16;
/** Fewer characters of a bound are too few to know a person by. */
const LEAST = 8;

/**
 * The smallest length to which bounds of text columns are cut in any table (rule S1), at most 16, at least 8.
 *
 * @throws RefusedError `scan/bounds-too-short` where a column whose values are sought keeps fewer than 8 characters: what is left
 * of a value in its bounds could not be told from others
 */
export function smallestTruncation(
  tables: readonly TableDescription[],
  sought: readonly QualifiedColumn[],
): number {
  const short = sought.filter(({ table, column }) => {
    const properties = tables.find((description) => description.table === table)?.properties ?? {};
    return lengthFor(column, properties) < LEAST;
  });
  if (short.length > 0) throw tooShort(short);
  const lengths = tables.flatMap(({ properties }) =>
    Object.entries(properties)
      .filter(([key]) => key.startsWith(METRICS))
      .map(([, mode]) => truncation(mode)),
  );
  return Math.max(LEAST, Math.min(USUAL, ...lengths));
}

function lengthFor(column: string, properties: Readonly<Record<string, string>>): number {
  const mode = properties[`${METRICS}column.${column}`] ?? properties[`${METRICS}default`];
  return mode === undefined ? USUAL : truncation(mode);
}

/** The length of `truncate(N)`; infinite for modes that cut nothing. */
function truncation(mode: string): number {
  const length = /^\s*truncate\((\d+)\)\s*$/i.exec(mode)?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length);
}

function tooShort(columns: readonly QualifiedColumn[]): RefusedError {
  const names = columns.map(({ table, column }) => `${table}.${column}`);
  return new RefusedError(
    'scan/bounds-too-short',
    `Bounds of ${names.join(', ')} keep fewer than ${LEAST} characters, so a scan could not tell whom they name`,
    {
      remedy: `Set ${METRICS}column.<name> to none for these columns (lethe properties --apply does), then run again`,
      data: { columns: names },
    },
  );
}
