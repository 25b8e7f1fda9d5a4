import type { DuckDBMapEntry, DuckDBValue } from '@duckdb/node-api';
import { type Data, DataType } from 'apache-arrow';
import type { IcebergType } from '../../../schema.ts';
import { listValue, mapValue, structValue } from '../duckdb.ts';
import { primitive } from '../sql/primitive.ts';
import { matchColumns } from './match-columns.ts';
import { nullInRequired, typeError } from './misfit.ts';
import { readPrimitive } from './read-primitive.ts';

/** Gives the value at an index of one Arrow array as DuckDB takes it. */
export type Read = (index: number) => DuckDBValue;

/** What a column of the table asks of the rows. */
export interface Wanted {
  /** Full name, for messages. */
  readonly column: string;
  readonly type: IcebergType;
  readonly required: boolean;
}

/**
 * Binds an Arrow array to a column. Taken without loss, or refused by column and type (`plane/type` for the array,
 * `plane/value` for one value, `plane/null-in-required`):
 *
 * | Iceberg                  | Arrow                                                                     |
 * | ------------------------ | ------------------------------------------------------------------------- |
 * | boolean                  | Bool                                                                      |
 * | int, long                | integers of any width that the value fits                                 |
 * | float, double            | Float16, Float32, Float64 where the value keeps all its digits            |
 * | decimal                  | Decimal (128 or 256 bits) that fits precision and scale                   |
 * | date                     | Date (days, or milliseconds of whole days)                                |
 * | time                     | Time of any unit that microseconds hold                                   |
 * | timestamp                | Timestamp without a zone, of any unit that microseconds hold              |
 * | timestamptz              | Timestamp with a zone, of any unit that microseconds hold                 |
 * | timestamp_ns             | Timestamp without a zone                                                  |
 * | string                   | Utf8, LargeUtf8                                                           |
 * | uuid                     | FixedSizeBinary(16), or Utf8 in its usual form                            |
 * | binary                   | Binary, LargeBinary, FixedSizeBinary                                      |
 * | list, map, struct        | List, LargeList, FixedSizeList; Map; Struct with fields of the same names |
 *
 * and any of them as Dictionary, and Null for an optional column.
 */
export function readerOf(data: Data, wanted: Wanted): Read {
  const present = bindPresent(data, wanted);
  const isNull = nullTest(data);
  if (!wanted.required) return (index) => (isNull(index) ? null : present(index));
  return (index) => {
    if (isNull(index)) throw nullInRequired(wanted.column);
    return present(index);
  };
}

function nullTest(data: Data): (index: number) => boolean {
  if (DataType.isNull(data.type)) return () => true;
  if (DataType.isDictionary(data.type)) {
    const at = dictionaryEntry(data);
    return (index) => {
      if (!data.getValid(index)) return true;
      const { chunk, offset } = at(index);
      return !chunk.getValid(offset);
    };
  }
  return data.nullCount === 0 ? () => false : (index) => !data.getValid(index);
}

function bindPresent(data: Data, wanted: Wanted): Read {
  if (DataType.isNull(data.type)) return () => null;
  if (DataType.isDictionary(data.type)) return dictionaryReader(data, wanted);
  const { type, column } = wanted;
  if (typeof type === 'string') return readPrimitive(data, primitive(type, column), column);
  switch (type.type) {
    case 'struct':
      return structReader(data, type.fields, column);
    case 'list': {
      const range = listRange(data, wanted);
      const element = { column: `${column}.element`, type: type.element, required: type.elementRequired };
      const read = readerOf(data.children[0]!, element);
      return (index) => {
        const { start, end } = range(index);
        return listValue(Array.from({ length: end - start }, (_, item) => read(start + item)));
      };
    }
    case 'map':
      return mapReader(data, wanted, [
        { column: `${column}.key`, type: type.key, required: true },
        { column: `${column}.value`, type: type.value, required: type.valueRequired },
      ]);
  }
}

function structReader(
  data: Data,
  fields: readonly {
    readonly id: number;
    readonly name: string;
    readonly type: IcebergType;
    readonly required: boolean;
  }[],
  column: string,
): Read {
  if (!DataType.isStruct(data.type)) throw typeError(data, column, 'struct');
  const names: readonly string[] = data.type.children.map(({ name }: { name: string }) => name);
  const reads = matchColumns(names, fields, `${column}.`).map(({ field, index }) => {
    const wanted = { column: `${column}.${field.name}`, type: field.type, required: field.required };
    return [
      `f${field.id}`,
      index === undefined ? () => null : readerOf(data.children[index]!, wanted),
    ] as const;
  });
  return (index) => structValue(Object.fromEntries(reads.map(([name, read]) => [name, read(index)])));
}

function mapReader(data: Data, { column }: Wanted, [key, value]: readonly [Wanted, Wanted]): Read {
  if (!DataType.isMap(data.type)) throw typeError(data, column, 'map');
  const range = offsetsRange(data);
  const [keys, values] = data.children[0]!.children;
  const [readKey, readValue] = [readerOf(keys!, key), readerOf(values!, value)];
  return (index) => {
    const { start, end } = range(index);
    const entries: DuckDBMapEntry[] = [];
    for (let item = start; item < end; item++) entries.push({ key: readKey(item), value: readValue(item) });
    return mapValue(entries);
  };
}

type Range = (index: number) => { readonly start: number; readonly end: number };

function listRange(data: Data, { column }: Wanted): Range {
  const { type } = data;
  if (DataType.isFixedSizeList(type)) {
    const { listSize } = type;
    return (index) => ({ start: index * listSize, end: (index + 1) * listSize });
  }
  if (!DataType.isList(type) && !DataType.isLargeList(type)) throw typeError(data, column, 'list');
  return offsetsRange(data);
}

function offsetsRange({ valueOffsets }: Data): Range {
  const offsets: ArrayLike<number | bigint> = valueOffsets;
  return (index) => ({ start: Number(offsets[index]), end: Number(offsets[index + 1]) });
}

function dictionaryReader(data: Data, wanted: Wanted): Read {
  const at = dictionaryEntry(data);
  // A null entry of a dictionary is a null of the row, which the caller tests.
  const readers = new Map(
    data.dictionary!.data.map((chunk) => [chunk, bindPresent(chunk, { ...wanted, required: false })]),
  );
  return (index) => {
    const { chunk, offset } = at(index);
    return readers.get(chunk)!(offset);
  };
}

function dictionaryEntry({ dictionary, values }: Data): (index: number) => { chunk: Data; offset: number } {
  const chunks = dictionary!.data;
  return (index) => {
    let offset = Number(values[index]);
    for (const chunk of chunks) {
      if (offset < chunk.length) return { chunk, offset };
      offset -= chunk.length;
    }
    throw new RangeError('a dictionary index points past its dictionary');
  };
}
