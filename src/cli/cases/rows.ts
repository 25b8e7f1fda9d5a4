import {
  Bool,
  DataType,
  DateDay,
  Float64,
  Int64,
  Null,
  Table,
  TimestampMicrosecond,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { TomlDate } from 'smol-toml';
import type { TomlTable } from '../../governance/toml/document.ts';

/** What a column is where no row of a case gives it a value. */
export type ColumnDefaults = ReadonlyMap<string, DataType>;

/**
 * The rows of a case as an Arrow table: a column is what its TOML values are, a value that a row lacks is NULL, and a column
 * that no row has is as `defaults` say.
 */
export function arrowRows(rows: readonly TomlTable[], defaults: ColumnDefaults): Table {
  const names = new Set([...rows.flatMap((row) => Object.keys(row)), ...defaults.keys()]);
  const columns: Record<string, Vector> = {};
  for (const name of names) {
    const values = rows.map((row) => row[name] ?? null);
    const sample = values.find((value) => value !== null);
    const type = sample === undefined ? (defaults.get(name) ?? new Null()) : typeOf(sample);
    columns[name] = vectorFromArray(
      values.map((value) => plain(value, type)),
      type,
    );
  }
  return new Table(columns);
}

function typeOf(value: unknown): DataType {
  if (typeof value === 'boolean') return new Bool();
  if (typeof value === 'bigint') return new Int64();
  if (typeof value === 'number') return Number.isInteger(value) ? new Int64() : new Float64();
  if (!(value instanceof TomlDate)) return new Utf8();
  if (value.isDate()) return new DateDay();
  return value.isLocal() ? new TimestampMicrosecond() : new TimestampMicrosecond('UTC');
}

/** A TOML value as Arrow's builder of `type` takes it. */
function plain(value: unknown, type: DataType): unknown {
  if (value instanceof TomlDate) return value.getTime();
  if (value === null) return null;
  if (DataType.isInt(type)) return BigInt(value as number | bigint);
  return DataType.isFloat(type) ? Number(value) : value;
}
