import {
  Bool,
  type DataType,
  DateDay,
  Float64,
  Int64,
  makeData,
  Null,
  Table,
  TimeMicrosecond,
  TimestampMicrosecond,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { dayNumber } from '../../values/day.ts';
import type { Literal } from '../../values/literal.ts';
import { parseTime, parseTimestamp } from '../../values/timestamp.ts';
import type { CaseRow } from './case.ts';

/** One row as an Arrow table with these columns; what the row does not name is NULL. */
export function rowTable(row: CaseRow, columns: readonly string[]): Table {
  return new Table(Object.fromEntries(columns.map((column) => [column, vectorOf(row.get(column))])));
}

function vectorOf(literal: Literal | undefined): Vector {
  switch (literal?.type) {
    case undefined:
      return new Vector([makeData({ type: new Null(), length: 1 })]);
    case 'boolean':
      return vectorFromArray([literal.value], new Bool());
    case 'long':
      return vectorFromArray([BigInt(literal.value)], new Int64());
    case 'double':
      return vectorFromArray([Number(literal.value)], new Float64());
    case 'date':
      return raw(new DateDay(), Int32Array.of(dayNumber(literal.value)));
    case 'time':
      return raw(new TimeMicrosecond(), BigInt64Array.of(parseTime(literal.value)! / 1000n));
    case 'timestamp':
      return raw(new TimestampMicrosecond(), BigInt64Array.of(parseTimestamp(literal.value)! / 1000n));
    case 'timestamptz':
      return raw(new TimestampMicrosecond('UTC'), BigInt64Array.of(parseTimestamp(literal.value)! / 1000n));
    default:
      return vectorFromArray([String(literal!.value)], new Utf8());
  }
}

function raw(type: DataType, data: Int32Array | BigInt64Array): Vector {
  return new Vector([makeData({ type, length: 1, data } as Parameters<typeof makeData>[0])]);
}
