import type {
  DuckDBBlobValue,
  DuckDBDataChunk,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBValue,
  DuckDBVector,
} from '@duckdb/node-api';
import { type Data, type DataType, makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import type { RefusedError } from '../../../../errors.ts';
import type { IcebergType } from '../../../schema.ts';
import { refused } from '../errors.ts';
import { comparable } from '../value.ts';

/** Rows of the wire shape as an Arrow batch of a schema made by `arrowField`. */
export function recordBatch(
  schema: Schema,
  types: readonly IcebergType[],
  chunk: DuckDBDataChunk,
): RecordBatch {
  const children = schema.fields.map(({ type: arrow }, index) => {
    const type = types[index]!;
    return isNumber(type)
      ? make({ type: arrow, length: chunk.rowCount, ...numbers(type, chunk.getColumnVector(index)) })
      : dataOf(arrow, type, chunk.getColumnValues(index));
  });
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: chunk.rowCount, nullCount: 0, children }),
  );
}

/** What Arrow and DuckDB keep in the same form. */
const NUMBERS = { int: Int32Array, long: BigInt64Array, float: Float32Array, double: Float64Array };

function isNumber(type: IcebergType): type is keyof typeof NUMBERS {
  return typeof type === 'string' && Object.hasOwn(NUMBERS, type);
}

/** In one walk, without a list of values in between: tables are read for their keys and amounts most of all. */
function numbers(type: keyof typeof NUMBERS, vector: DuckDBVector): Record<string, unknown> {
  const data: { [row: number]: DuckDBValue } = new NUMBERS[type](vector.itemCount);
  const nullBitmap = new Uint8Array((vector.itemCount + 7) >> 3);
  let nullCount = 0;
  for (let row = 0; row < vector.itemCount; row++) {
    const value = vector.getItem(row);
    if (value === null) nullCount++;
    else {
      data[row] = value;
      nullBitmap[row >> 3]! |= 1 << (row & 7);
    }
  }
  return nullCount === 0 ? { data, nullCount } : { data, nullCount, nullBitmap };
}

function dataOf(arrow: DataType, type: IcebergType, values: readonly DuckDBValue[]): Data {
  const common = { type: arrow, length: values.length, ...nulls(values) };
  if (typeof type === 'string') return make({ ...common, ...primitives(type, values) });
  switch (type.type) {
    case 'struct': {
      const children = type.fields.map((field, index) =>
        dataOf(
          arrow.children![index]!.type,
          field.type,
          values.map((value) =>
            value === null ? null : (value as DuckDBStructValue).entries[`f${field.id}`]!,
          ),
        ),
      );
      return make({ ...common, children });
    }
    case 'list': {
      const lists = values.map((value) => (value === null ? [] : (value as DuckDBListValue).items));
      return make({
        ...common,
        valueOffsets: offsetsOf(lists.map(({ length }) => length)),
        child: dataOf(arrow.children![0]!.type, type.element, lists.flat()),
      });
    }
    case 'map': {
      const maps = values.map((value) => (value === null ? [] : (value as DuckDBMapValue).entries));
      const entries = maps.flat();
      const [entry] = arrow.children!;
      const [key, value] = entry!.type.children!;
      return make({
        ...common,
        valueOffsets: offsetsOf(maps.map(({ length }) => length)),
        child: make({
          type: entry!.type,
          length: entries.length,
          nullCount: 0,
          children: [
            dataOf(
              key!.type,
              type.key,
              entries.map((one) => one.key),
            ),
            dataOf(
              value!.type,
              type.value,
              entries.map((one) => one.value),
            ),
          ],
        }),
      });
    }
  }
}

/** Apache Arrow's `makeData` is typed for one type at a time. */
function make(props: { readonly type: DataType } & Record<string, unknown>): Data {
  return makeData(props as unknown as Parameters<typeof makeData>[0]) as Data;
}

function nulls(values: readonly DuckDBValue[]): {
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array;
} {
  let nullCount = 0;
  const nullBitmap = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, index) => {
    if (value === null) nullCount++;
    else nullBitmap[index >> 3]! |= 1 << (index & 7);
  });
  return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap };
}

function primitives(type: string, values: readonly DuckDBValue[]): Record<string, unknown> {
  switch (type) {
    case 'boolean':
      return { data: bits(values) };
    case 'int':
      return { data: Int32Array.from(values, (value) => (value as number | null) ?? 0) };
    case 'float':
      return { data: Float32Array.from(values, (value) => (value as number | null) ?? 0) };
    case 'double':
      return { data: Float64Array.from(values, (value) => (value as number | null) ?? 0) };
    case 'date':
      return { data: Int32Array.from(values, (value) => Number(comparable(type, value) ?? 0n)) };
    case 'string':
    case 'binary':
      return bytes(values.map((value) => (value as DuckDBBlobValue | null)?.bytes ?? NO_BYTES));
    case 'uuid':
      return { data: fixedSize(type, values, 16) };
    default: {
      const length = /^fixed\[\s*(\d+)\s*\]$/.exec(type)?.[1];
      if (length !== undefined) return { data: fixedSize(type, values, Number(length)) };
      return type.startsWith('decimal')
        ? { data: decimals(type, values) }
        : { data: BigInt64Array.from(values, (value) => (comparable(type, value) as bigint | null) ?? 0n) };
    }
  }
}

const NO_BYTES = new Uint8Array(0);

function bits(values: readonly DuckDBValue[]): Uint8Array {
  const data = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, index) => {
    if (value === true) data[index >> 3]! |= 1 << (index & 7);
  });
  return data;
}

function bytes(values: readonly Uint8Array[]): {
  readonly valueOffsets: Int32Array;
  readonly data: Uint8Array;
} {
  return { valueOffsets: offsetsOf(values.map(({ length }) => length)), data: Buffer.concat(values) };
}

function offsetsOf(lengths: readonly number[]): Int32Array {
  const offsets = new Int32Array(lengths.length + 1);
  lengths.forEach((length, index) => {
    offsets[index + 1] = offsets[index]! + length;
  });
  return offsets;
}

/** Values of one length, one after the other. */
function fixedSize(type: string, values: readonly DuckDBValue[], length: number): Uint8Array {
  const data = new Uint8Array(values.length * length);
  values.forEach((value, index) => {
    if (value === null) return;
    const bytes = comparable(type, value) as Uint8Array;
    if (bytes.length !== length) throw otherLength(type, bytes.length);
    data.set(bytes, index * length);
  });
  return data;
}

/** A writer kept a value in bytes of any length, and not all have the one that the table says. */
function otherLength(type: string, length: number): RefusedError {
  return refused(
    'value-length',
    `A value of the type ${type} has ${length} bytes`,
    'Read this table with the engine that wrote it',
    { type, length },
  );
}

/** Decimals of 128 bits, least significant word first. */
function decimals(type: string, values: readonly DuckDBValue[]): Uint32Array {
  const data = new Uint32Array(values.length * 4);
  values.forEach((value, index) => {
    let rest = BigInt.asUintN(128, (comparable(type, value) as bigint | null) ?? 0n);
    for (let word = 0; word < 4; word++, rest >>= 32n) data[index * 4 + word] = Number(rest & 0xffff_ffffn);
  });
  return data;
}
