import {
  Field as ArrowField,
  Binary,
  Bool,
  type Data,
  DataType,
  DateDay,
  Decimal,
  FixedSizeBinary,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  Map_,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampNanosecond,
  Utf8,
} from 'apache-arrow';
import type { Field, IcebergType } from '../../../src/warehouse/schema.ts';

/**
 * A value as the tests write it down: decimals unscaled, times and timestamps as counts of their unit, dates as days, uuid
 * and binary as bytes, maps as entries.
 */
export type Cell =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Cell[]
  | readonly (readonly [Cell, Cell])[]
  | { readonly [name: string]: Cell };

export type Row = { readonly [name: string]: Cell };

/** The rows as an Arrow table, built buffer by buffer; a column that a row lacks is null. */
export function rowsTable(fields: readonly Field[], rows: readonly Row[]): Table {
  const columns = fields.map(({ name, type }) =>
    dataOf(
      type,
      rows.map((row) => own(row, name)),
    ),
  );
  const schema = new Schema(
    fields.map(({ name }, index) => new ArrowField(name, columns[index]!.type, true)),
  );
  const type = new Struct(schema.fields);
  return new Table([
    new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children: columns })),
  ]);
}

/** `__proto__` is a name like any other. */
function own(row: Row | null, name: string): Cell {
  return row !== null && Object.hasOwn(row, name) ? row[name]! : null;
}

/** The rows of a batch, read out of its buffers. */
export function cellsOf(batch: RecordBatch): Row[] {
  return Array.from({ length: batch.numRows }, (_, row) =>
    Object.fromEntries(
      batch.schema.fields.map(({ name }, column) => [name, cell(batch.data.children[column]!, row)]),
    ),
  );
}

function dataOf(type: IcebergType, cells: readonly Cell[]): Data {
  const nullBitmap = new Uint8Array((cells.length + 7) >> 3);
  cells.forEach((value, index) => {
    if (value !== null) nullBitmap[index >> 3]! |= 1 << (index & 7);
  });
  const common = {
    length: cells.length,
    nullBitmap,
    nullCount: cells.filter((value) => value === null).length,
  };
  return makeData({ ...common, ...buffers(type, cells) } as never) as Data;
}

function buffers(type: IcebergType, cells: readonly Cell[]): Record<string, unknown> {
  if (typeof type === 'string') return leaf(type, cells);
  if (type.type === 'struct') {
    const children = type.fields.map(({ name, type }) =>
      dataOf(
        type,
        cells.map((one) => own(one as Row | null, name)),
      ),
    );
    const fields = type.fields.map(({ name }, index) => new ArrowField(name, children[index]!.type, true));
    return { type: new Struct(fields), children };
  }
  const items = cells.map((one) => (one as readonly Cell[] | null) ?? []);
  const valueOffsets = offsets(items.map(({ length }) => length));
  if (type.type === 'list') {
    const child = dataOf(type.element, items.flat(1));
    return { type: new List(new ArrowField('item', child.type, true)), valueOffsets, child };
  }
  const entries = items.flat(1) as (readonly [Cell, Cell])[];
  const [key, value] = [
    dataOf(
      type.key,
      entries.map(([one]) => one),
    ),
    dataOf(
      type.value,
      entries.map(([, one]) => one),
    ),
  ];
  const entry = new Struct<{ key: DataType; value: DataType }>([
    new ArrowField('key', key.type, false),
    new ArrowField('value', value.type, true),
  ]);
  const child = makeData({ type: entry, length: entries.length, nullCount: 0, children: [key, value] });
  return { type: new Map_(new ArrowField('entries', entry, false)), valueOffsets, child };
}

function leaf(type: string, cells: readonly Cell[]): Record<string, unknown> {
  const longs = (): BigInt64Array => BigInt64Array.from(cells, (one) => (one as bigint | null) ?? 0n);
  const numbers = (): number[] => cells.map((one) => (one as number | null) ?? 0);
  const decimal = /^decimal\((\d+), (\d+)\)$/.exec(type);
  if (decimal !== null)
    return { type: new Decimal(Number(decimal[2]), Number(decimal[1]), 128), data: words(cells) };
  switch (type) {
    case 'boolean':
      return { type: new Bool(), data: bits(cells) };
    case 'int':
      return { type: new Int32(), data: Int32Array.from(numbers()) };
    case 'long':
      return { type: new Int64(), data: longs() };
    case 'float':
      return { type: new Float32(), data: Float32Array.from(numbers()) };
    case 'double':
      return { type: new Float64(), data: Float64Array.from(numbers()) };
    case 'date':
      return { type: new DateDay(), data: Int32Array.from(numbers()) };
    case 'time':
      return { type: new TimeMicrosecond(), data: longs() };
    case 'timestamp':
      return { type: new TimestampMicrosecond(), data: longs() };
    case 'timestamptz':
      return { type: new TimestampMicrosecond('UTC'), data: longs() };
    case 'timestamp_ns':
      return { type: new TimestampNanosecond(), data: longs() };
    case 'uuid':
      return {
        type: new FixedSizeBinary(16),
        data: Buffer.concat(cells.map((one) => (one as Uint8Array | null) ?? new Uint8Array(16))),
      };
    case 'string':
    case 'binary': {
      const parts = cells.map((one) =>
        typeof one === 'string' ? Buffer.from(one) : ((one as Uint8Array | null) ?? new Uint8Array(0)),
      );
      const valueOffsets = offsets(parts.map(({ length }) => length));
      return {
        type: type === 'string' ? new Utf8() : new Binary(),
        data: Buffer.concat(parts),
        valueOffsets,
      };
    }
    default:
      throw new Error(`no rows of ${type}`);
  }
}

function offsets(lengths: readonly number[]): Int32Array {
  let end = 0;
  return Int32Array.from([0, ...lengths.map((length) => (end += length))]);
}

function bits(cells: readonly Cell[]): Uint8Array {
  const data = new Uint8Array((cells.length + 7) >> 3);
  cells.forEach((value, index) => {
    if (value === true) data[index >> 3]! |= 1 << (index & 7);
  });
  return data;
}

function words(cells: readonly Cell[]): Uint32Array {
  return Uint32Array.from(
    cells.flatMap((one) => {
      const value = BigInt.asUintN(128, (one as bigint | null) ?? 0n);
      return [0n, 32n, 64n, 96n].map((shift) => Number((value >> shift) & 0xffff_ffffn));
    }),
  );
}

function cell(data: Data, index: number): Cell {
  const { type, values, children } = data;
  if (!data.getValid(index)) return null;
  if (DataType.isStruct(type)) {
    return Object.fromEntries(type.children.map(({ name }, child) => [name, cell(children[child]!, index)]));
  }
  if (DataType.isList(type)) return range(data, index).map((item) => cell(children[0]!, item));
  if (DataType.isMap(type)) {
    const [keys, entries] = children[0]!.children;
    return range(data, index).map((item) => [cell(keys!, item), cell(entries!, item)] as const);
  }
  if (DataType.isBool(type)) return ((values[index >> 3]! >> (index & 7)) & 1) === 1;
  if (DataType.isDecimal(type)) {
    const unsigned = [3, 2, 1, 0].reduce((sum, word) => (sum << 32n) | BigInt(values[index * 4 + word]!), 0n);
    return BigInt.asIntN(128, unsigned);
  }
  if (DataType.isFixedSizeBinary(type)) {
    const width = type.byteWidth;
    return new Uint8Array(values.slice(index * width, (index + 1) * width));
  }
  if (DataType.isUtf8(type) || DataType.isBinary(type)) {
    const raw = Buffer.from(values.subarray(data.valueOffsets[index], data.valueOffsets[index + 1]));
    return DataType.isUtf8(type) ? raw.toString('utf8') : new Uint8Array(raw);
  }
  return values[index] as number | bigint;
}

function range({ valueOffsets }: Data, index: number): number[] {
  const [start, end] = [valueOffsets[index]!, valueOffsets[index + 1]!];
  return Array.from({ length: end - start }, (_, item) => start + item);
}
