import type { Literal } from '../../../values/literal.ts';
import type { PlaneTable } from '../../data-plane.ts';
import { toLiteral } from '../../iceberg/manifest/single-value.ts';
import { partitionType } from '../../iceberg/metadata/partition.ts';
import { type Transform, transformOf } from '../../iceberg/metadata/transform.ts';
import type { PrimitiveType } from '../../schema.ts';
import { appendRows } from './append-rows.ts';
import { type Column, everyColumn } from './columns.ts';
import type { Session } from './engine.ts';
import { refused } from './errors.ts';
import { staged } from './staged.ts';
import { comparable } from './value.ts';

/** One field of the spec: the column that it reads, and what it makes of it. Null for a field that keeps nothing. */
type Key = {
  readonly column: Column;
  readonly source: PrimitiveType;
  readonly result: PrimitiveType;
  readonly apply: Transform;
} | null;

/** Rows of one partition. */
interface Part {
  readonly partition: readonly (Literal | null)[];
  /** SQL that keeps the rows of the partition, in their order. */
  readonly rows: string;
}

/**
 * The fields of the table's spec.
 *
 * @throws RefusedError `plane/partition` for a transform that is not known or a column that the schema does not have
 */
export function partitionKeys({ table, schema, partitioning }: PlaneTable): readonly Key[] {
  const columns = new Map(everyColumn(schema).map((column) => [column.field.id, column]));
  return (partitioning?.fields ?? []).map((field) => {
    if (field.transform === 'void') return null;
    const column = columns.get(field.sourceIds[0]!);
    const source = column?.field.type;
    const result = partitionType(field, [schema]);
    const apply = typeof source === 'string' ? transformOf(field.transform, source) : undefined;
    if (column !== undefined && apply !== undefined && result !== undefined && field.sourceIds.length === 1)
      return { column, source: source as PrimitiveType, result, apply };
    throw refused(
      'partition',
      `Rows cannot be put into the partitions ${field.name} of ${table}, made by ${field.transform}`,
      'Add them with the engine that loads this table',
      { table, partition: field.name, transform: field.transform },
    );
  });
}

/** Finds the partitions of the staged rows, in the order in which they first appear. */
export async function split(
  session: Session,
  table: PlaneTable,
  keys: readonly Key[],
): Promise<readonly Part[]> {
  if (keys.every((key) => key === null)) return [{ partition: keys.map(() => null), rows: '' }];
  const values = keys.map((key) => (key === null ? 'NULL' : sourceSql(key)));
  const found = new Map<string, readonly (Literal | null)[]>();
  const parts = new Map<string, number>();
  const places: [bigint, bigint][] = [];
  for (const [row, ...sources] of await session.rows(
    `SELECT row, ${values.join(', ')} FROM (${staged(table)})`,
  )) {
    const partition = keys.map((key, index) => {
      const value = key === null ? null : key.apply(comparable(key.source, sources[index]!));
      return value === null ? null : toLiteral(key!.result, value);
    });
    const name = JSON.stringify(partition);
    if (!parts.has(name)) parts.set(name, parts.size);
    found.set(name, partition);
    places.push([row as bigint, BigInt(parts.get(name)!)]);
  }
  await session.run('CREATE OR REPLACE TEMP TABLE parts (place BIGINT, part BIGINT)');
  await appendRows(session, 'parts', places);
  return [...found].map(([name, partition]) => ({
    partition,
    rows: `SEMI JOIN (SELECT place FROM parts WHERE part = ${parts.get(name)!}) ON row = place ORDER BY row`,
  }));
}

/** Text goes as its bytes: the driver's own decoder drops a leading byte order mark. */
function sourceSql({ column, source }: Exclude<Key, null>): string {
  return source === 'string' ? `encode(${column.sql})` : column.sql;
}
