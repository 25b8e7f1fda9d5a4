import type { FileMetrics } from '../../iceberg/manifest/data-file.ts';
import type { Schema } from '../../iceberg/metadata/types.ts';
import { bound } from '../../iceberg/metrics/bounds.ts';
import type { MetricsMode } from '../../iceberg/metrics/modes.ts';
import { type Column, everyColumn } from './columns.ts';
import type { Session } from './engine.ts';
import { type Primitive, primitive } from './sql/primitive.ts';
import type { LocalFile } from './sql/relation.ts';
import { relation } from './sql/relation.ts';
import { fileShape } from './sql/shape.ts';
import { comparable } from './value.ts';

/** What is asked of one column: counts always, bounds where its mode has some. */
interface Asked {
  readonly column: Column;
  readonly type: Primitive;
  readonly mode: MetricsMode;
}

/**
 * Reads a written file once and says of it what its metrics modes allow. Bounds are exact (never taken from footers,
 * which cut them); none under lists and maps, as Iceberg's own writers do.
 */
export async function collectMetrics(
  session: Session,
  table: string,
  options: {
    readonly schema: Schema;
    readonly modes: ReadonlyMap<number, MetricsMode>;
    readonly file: LocalFile;
  },
): Promise<FileMetrics> {
  const { schema, modes, file } = options;
  const asked = askedColumns(schema, modes);
  const metrics = {
    columnSizes: new Map(
      [...file.footer.columnSizes].filter(([id]) => (modes.get(id)?.kind ?? 'none') !== 'none'),
    ),
    valueCounts: new Map<number, bigint>(),
    nullCounts: new Map<number, bigint>(),
    nanCounts: new Map<number, bigint>(),
    lowerBounds: new Map<number, Uint8Array>(),
    upperBounds: new Map<number, Uint8Array>(),
  };
  if (asked.length === 0) return metrics;
  const rows = relation(table, [file], fileShape(schema));
  const [values] = await session.rows(`SELECT ${asked.flatMap(aggregates).join(', ')} FROM (${rows})`);
  asked.forEach(({ column: { field }, type, mode }, index) => {
    const [present, nans, least, greatest] = values!.slice(index * 4, index * 4 + 4);
    metrics.valueCounts.set(field.id, file.footer.rows);
    metrics.nullCounts.set(field.id, file.footer.rows - (present as bigint));
    if (floating(type)) metrics.nanCounts.set(field.id, nans as bigint);
    const at = { type: field.type as string, mode };
    const lower = bound('lower', comparable(at.type, least!), at);
    const upper = bound('upper', comparable(at.type, greatest!), at);
    if (lower !== undefined) metrics.lowerBounds.set(field.id, lower);
    if (upper !== undefined) metrics.upperBounds.set(field.id, upper);
  });
  return metrics;
}

function askedColumns(schema: Schema, modes: ReadonlyMap<number, MetricsMode>): readonly Asked[] {
  return everyColumn(schema).flatMap((column) => {
    const { type, id } = column.field;
    const mode = modes.get(id);
    if (typeof type !== 'string' || mode === undefined || mode.kind === 'none') return [];
    return [{ column, type: primitive(type, column.name), mode }];
  });
}

/** Values present, NaNs, least, greatest. */
function aggregates({ column: { sql }, type, mode }: Asked): readonly string[] {
  const nan = floating(type) ? `count_if(isnan(${sql}))` : 'NULL';
  if (mode.kind === 'counts') return [`count(${sql})`, nan, 'NULL', 'NULL'];
  const only = floating(type) ? ` FILTER (NOT isnan(${sql}))` : '';
  const extreme = (name: 'min' | 'max'): string =>
    type.kind === 'string' ? `encode(${name}(${sql}))` : `${name}(${sql})${only}`;
  return [`count(${sql})`, nan, extreme('min'), extreme('max')];
}

function floating({ kind }: Primitive): boolean {
  return kind === 'float' || kind === 'double';
}
