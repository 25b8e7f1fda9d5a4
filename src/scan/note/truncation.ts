import type { StepRefusal } from '../../erasure/refusal.ts';
import { RefusedError } from '../../errors.ts';
import type { QualifiedColumn } from '../../governance/governance.ts';
import type { TableDescription } from '../../warehouse/warehouse.ts';

const METRICS = 'write.metadata.metrics.';
/** What Iceberg's writers keep where nothing is set; also what older manifests may hold after a setting was changed. */
const USUAL = 16;
/** Fewer characters of a bound are too few to know a person by. */
const LEAST = 8;

/** The smallest length to which bounds of text columns are cut in any table (rule S1), at most 16, at least 8. */
export function smallestTruncation(tables: readonly TableDescription[]): number {
  const lengths = tables.flatMap(({ properties }) =>
    Object.entries(properties)
      .filter(([key]) => key.startsWith(METRICS))
      .map(([, mode]) => truncation(mode)),
  );
  return Math.max(LEAST, Math.min(USUAL, ...lengths));
}

/**
 * Why the tables cannot be scanned as they are: columns whose values are sought, and of whose bounds fewer than 8 characters are kept.
 * What is left of a value there could not be told from others (rule S1).
 */
export function shortBounds(
  tables: readonly TableDescription[],
  sought: readonly QualifiedColumn[],
): readonly StepRefusal[] {
  return sought.flatMap(({ table, column }) => {
    const properties = tables.find((description) => description.table === table)?.properties ?? {};
    if (lengthFor(column, properties) >= LEAST) return [];
    return [
      {
        table,
        code: 'bounds-too-short',
        reason: `bounds of ${column} keep fewer than ${LEAST} characters, so a scan could not tell whom they name`,
        remedy: `Set ${METRICS}column.${column} to none (lethe properties --apply does), then run again`,
      },
    ];
  });
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

/** All of them as one error. */
export function tooShort(refusals: readonly StepRefusal[]): RefusedError {
  const named = refusals.map(({ table, reason }) => `${table}: ${reason}`);
  return new RefusedError('scan/bounds-too-short', named.join('; '), {
    remedy: refusals.map(({ table, remedy }) => `${table}: ${remedy}`).join('. '),
    data: { tables: [...new Set(refusals.map(({ table }) => table))] },
  });
}
