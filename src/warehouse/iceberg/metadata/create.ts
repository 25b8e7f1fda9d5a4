import { InputError } from '../../../errors.ts';
import type { Instant, Random } from '../../../values/time.ts';
import type { TableDefinition } from '../../warehouse.ts';
import { uuid } from '../commit/attempt.ts';
import type { Json } from './damaged.ts';
import { metadataOf, type TableMetadata } from './metadata.ts';
import { transformOf } from './transform.ts';

/** What {@link newTable} needs besides the definition. */
export interface NewTable {
  readonly table: string;
  readonly definition: TableDefinition;
  readonly location: string;
  readonly now: Instant;
  readonly random: Random;
}

const PRIMITIVE =
  /^(?:boolean|int|long|float|double|date|time|timestamp|timestamptz|string|uuid|binary|fixed\[\d{1,6}\]|decimal\(\s*\d{1,2}\s*,\s*\d{1,2}\s*\))$/;

/**
 * The metadata of an empty table that is not sorted. Columns get ids from 1 on, in order.
 *
 * @throws InputError `warehouse/columns` for no columns, a name twice, or a type that is no primitive of the specification;
 * `warehouse/partition` for a partition of no column, by a transform that does not take it, or of a name twice
 */
export function newTable({ table, definition, location, now, random }: NewTable): TableMetadata {
  checkColumns(table, definition);
  const fields = definition.columns.map(({ name, type, required = false, doc }, index) => ({
    id: index + 1,
    name,
    required,
    type,
    ...(doc === undefined ? {} : { doc }),
  }));
  const { formatVersion = 2 } = definition;
  const partition = partitionFields(table, definition);
  return metadataOf(location, {
    'format-version': formatVersion,
    'table-uuid': uuid(random),
    location,
    ...(formatVersion === 3 ? { 'next-row-id': 0 } : {}),
    'last-sequence-number': 0,
    'last-updated-ms': now,
    'last-column-id': fields.length,
    'current-schema-id': 0,
    schemas: [{ type: 'struct', 'schema-id': 0, fields }],
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: partition }],
    'last-partition-id': 999 + partition.length,
    'default-sort-order-id': 0,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    properties: { ...definition.properties },
    ...(formatVersion === 3 ? {} : { 'current-snapshot-id': -1 }),
    refs: {},
    snapshots: [],
    statistics: [],
    'partition-statistics': [],
    'snapshot-log': [],
    'metadata-log': [],
  });
}

function checkColumns(table: string, { columns, formatVersion }: TableDefinition): void {
  const names = new Set<string>();
  const isKnown = (type: string): boolean =>
    PRIMITIVE.test(type) || (formatVersion === 3 && type === 'timestamp_ns');
  for (const { name, type } of columns) {
    if (name === '' || names.has(name))
      throw columnFault(table, `the column name ${JSON.stringify(name)} is empty or there twice`);
    if (!isKnown(type))
      throw columnFault(table, `${name} has the type ${type}, which is no primitive of Iceberg`);
    names.add(name);
  }
  if (columns.length === 0) throw columnFault(table, 'there are no columns');
}

const SUFFIX: Readonly<Record<string, string>> = { bucket: 'bucket', truncate: 'trunc', void: 'null' };

function partitionFields(table: string, { columns, partition = [] }: TableDefinition): readonly Json[] {
  const fault = (what: string): InputError =>
    new InputError('warehouse/partition', `${table} cannot be made: ${what}`, {
      remedy:
        'Name each partition once, and a transform that takes the type of its column, such as bucket[16] or month',
      data: { table },
    });
  const names = new Set<string>();
  return partition.map(({ column, transform, name: given }, index) => {
    const source = columns.findIndex(({ name }) => name === column);
    const [, kind = ''] = /^([a-z]+)/.exec(transform) ?? [];
    const name = given ?? (kind === 'identity' ? column : `${column}_${SUFFIX[kind] ?? kind}`);
    if (source < 0) throw fault(`the partition ${name} is of no column`);
    const { type } = columns[source]!;
    if (transformOf(transform, type) === undefined)
      throw fault(`${transform} does not take the ${type} ${column}`);
    // A partition that is named as a column must be that column.
    const other = columns.some((one) => one.name === name) && !(kind === 'identity' && name === column);
    if (names.has(name) || other) throw fault(`the partition name ${name} is taken`);
    names.add(name);
    return { 'source-id': source + 1, 'field-id': 1000 + index, name, transform };
  });
}

function columnFault(table: string, what: string): InputError {
  return new InputError('warehouse/columns', `${table} cannot be made: ${what}`, {
    remedy: 'Name each column once, with a type such as long, string, decimal(9, 2), date or timestamptz',
    data: { table },
  });
}
