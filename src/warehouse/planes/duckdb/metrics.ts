import type { FileMetrics } from '../../data-file.ts';
import type { Comparable } from '../../iceberg/manifest/single-value.ts';
import { bound } from '../../iceberg/metrics/bounds.ts';
import type { MetricsMode } from '../../iceberg/metrics/modes.ts';
import type { Schema } from '../../schema.ts';
import { type Column, everyColumn } from './columns.ts';
import type { Session } from './engine.ts';
import type { WrittenFooter } from './parquet/footer.ts';
import { type Primitive, primitive } from './sql/primitive.ts';
import type { LocalFile } from './sql/relation.ts';
import { relation } from './sql/relation.ts';
import { fileShape } from './sql/shape.ts';
import { comparable } from './value.ts';

/** A file that was just written, with its own footer. */
export type WrittenFile = LocalFile & { readonly footer: WrittenFooter };

/** What is asked of one column: counts always, bounds where its mode has some. */
interface Asked {
  readonly column: Column;
  readonly type: Primitive;
  readonly mode: MetricsMode;
}

/** What is said of one column. */
interface Said {
  readonly nulls: bigint;
  /** Null for other types than floating ones. */
  readonly nans: bigint | null;
  readonly least: Comparable | null;
  readonly greatest: Comparable | null;
}

/**
 * Says of a written file what its metrics modes allow. Bounds are exact: taken from the footer where it holds them whole, else read
 * from the file. None under lists and maps, as Iceberg's own writers do.
 */
export async function collectMetrics(
  session: Session,
  table: string,
  options: {
    readonly schema: Schema;
    readonly modes: ReadonlyMap<number, MetricsMode>;
    readonly file: WrittenFile;
  },
): Promise<FileMetrics> {
  const { schema, modes, file } = options;
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
  const asked = askedColumns(schema, modes);
  const said = asked.map((one) => saidByFooter(one, file));
  const unsaid = asked.filter((_, index) => said[index] === undefined);
  const read = await readColumns(session, table, { schema, file, asked: unsaid });
  asked.forEach((one, index) => {
    const { field } = one.column;
    const { nulls, nans, least, greatest } = said[index] ?? read.get(one)!;
    metrics.valueCounts.set(field.id, file.footer.rows);
    metrics.nullCounts.set(field.id, nulls);
    if (nans !== null) metrics.nanCounts.set(field.id, nans);
    const at = { type: field.type as string, mode: one.mode };
    const lower = bound('lower', least, at);
    const upper = bound('upper', greatest, at);
    if (lower !== undefined) metrics.lowerBounds.set(field.id, lower);
    if (upper !== undefined) metrics.upperBounds.set(field.id, upper);
  });
  return metrics;
}

/** Undefined where the footer says too little for the column's mode. */
function saidByFooter({ column, type, mode }: Asked, { footer }: WrittenFile): Said | undefined {
  const found = footer.statistics.get(column.field.id);
  if (found === undefined) return undefined;
  const { nulls, least, greatest } = found;
  const nans = floating(type) ? 0n : null;
  // Only numbers without a NaN have a least one.
  if (floating(type) && least === undefined) return undefined;
  if (mode.kind === 'counts') return { nulls, nans, least: null, greatest: null };
  if (least === undefined || greatest === undefined) return undefined;
  return { nulls, nans, least, greatest };
}

/** Reads the columns that the footer leaves open. */
async function readColumns(
  session: Session,
  table: string,
  {
    schema,
    file,
    asked,
  }: { readonly schema: Schema; readonly file: WrittenFile; readonly asked: readonly Asked[] },
): Promise<ReadonlyMap<Asked, Said>> {
  if (asked.length === 0) return new Map();
  const needed = new Set(asked.map(({ column }) => column.path[0]!.id));
  const fields = fileShape(schema).filter(({ id }) => needed.has(id));
  const rows = relation(table, [file], fields);
  const [values] = await session.rows(`SELECT ${asked.flatMap(aggregates).join(', ')} FROM (${rows})`);
  return new Map(
    asked.map((one, index) => {
      const [present, nans, least, greatest] = values!.slice(index * 4, index * 4 + 4);
      const type = one.column.field.type as string;
      return [
        one,
        {
          nulls: file.footer.rows - (present as bigint),
          nans: nans as bigint | null,
          least: comparable(type, least!),
          greatest: comparable(type, greatest!),
        },
      ];
    }),
  );
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
