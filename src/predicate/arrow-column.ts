import {
  type Data,
  DataType,
  DateUnit,
  type Table,
  type Timestamp,
  TimeUnit,
  Type,
  Vector,
} from 'apache-arrow';
import type { Family } from './family.ts';
import { noColumn } from './fault.ts';

/** A value made ready to compare: times are nanoseconds, decimals unscaled, binaries hex. Null is NULL. */
export type Cell = bigint | number | string | boolean | null;

/** One column of an Arrow table, read once. */
export interface ArrowColumn {
  readonly name: string;
  /** Arrow's own name of the type, for messages. */
  readonly type: string;
  /** Null for types that compare with nothing (structs, lists, maps). */
  readonly family: Family | null;
  /** Digits after the point of a decimal; 0 for integers. */
  readonly scale: number;
  readonly cells: readonly Cell[];
}

/**
 * Reads a column by its full name: a top-level column of exactly that name, else the dotted path of a nested field. A field
 * of a NULL struct is NULL (hazard 6). Throws `predicate/no-column`.
 */
export function arrowColumn(table: Table, name: string): ArrowColumn {
  const path = pathOf(table.schema.fields, name);
  if (path === null) {
    throw noColumn(
      name,
      table.schema.fields.map((field) => field.name),
    );
  }
  let type: DataType | undefined;
  const cells: Cell[] = [];
  for (const batch of table.batches) {
    let level: Data = batch.data;
    const parents: Data[] = [];
    for (const index of path) {
      parents.push(level);
      level = level.children[index]!;
    }
    type = level.type;
    readCells(level, parents.slice(1), cells);
  }
  return describe(name, type ?? typeAt(table.schema.fields, path), cells);
}

interface FieldLike {
  readonly name: string;
  readonly type: DataType;
}

/** Indices from the top down, or null where no column has the name. */
function pathOf(fields: readonly FieldLike[], name: string): number[] | null {
  const exact = fields.findIndex((field) => field.name === name);
  if (exact >= 0) return [exact];
  for (const [index, field] of fields.entries()) {
    if (!DataType.isStruct(field.type) || !name.startsWith(`${field.name}.`)) continue;
    const rest = pathOf(field.type.children, name.slice(field.name.length + 1));
    if (rest !== null) return [index, ...rest];
  }
  return null;
}

function typeAt(fields: readonly FieldLike[], path: readonly number[]): DataType {
  const [index = 0, ...rest] = path;
  const type = fields[index]!.type;
  return rest.length === 0 ? type : typeAt(type.children, rest);
}

function describe(name: string, type: DataType, cells: readonly Cell[]): ArrowColumn {
  const valueType = DataType.isDictionary(type) ? type.dictionary : type;
  const scale = DataType.isDecimal(valueType) ? valueType.scale : 0;
  return { name, type: type.toString(), family: familyOf(valueType), scale, cells };
}

function familyOf(type: DataType): Family | null {
  switch (type.typeId) {
    case Type.Bool:
      return 'boolean';
    case Type.Int:
    case Type.Decimal:
      return 'exact';
    case Type.Float:
      return 'float';
    case Type.Date:
      return 'date';
    case Type.Time:
      return 'time';
    case Type.Timestamp:
      return (type as Timestamp).timezone ? 'instant' : 'timestamp';
    case Type.Utf8:
    case Type.LargeUtf8:
      return 'text';
    case Type.Binary:
    case Type.LargeBinary:
    case Type.FixedSizeBinary:
      return 'binary';
    default:
      return null;
  }
}

function readCells(data: Data, parents: readonly Data[], into: Cell[]): void {
  if (DataType.isNull(data.type)) {
    for (let row = 0; row < data.length; row++) into.push(null);
    return;
  }
  const read = DataType.isDictionary(data.type) ? dictionaryReader(data) : valueReader(data);
  for (let row = 0; row < data.length; row++) {
    const valid = data.getValid(row) && parents.every((parent) => parent.getValid(row));
    into.push(valid ? read(row) : null);
  }
}

function dictionaryReader(data: Data): (row: number) => Cell {
  const entries: Cell[] = [];
  for (const chunk of data.dictionary?.data ?? []) readCells(chunk, [], entries);
  return (row) => entries[Number(data.values[row])] ?? null;
}

/** Reads a value that is not NULL. Raw buffers, because Arrow's own getters round times to milliseconds. */
function valueReader(data: Data): (row: number) => Cell {
  const { type, values } = data;
  if (DataType.isInt(type)) return (row) => BigInt(values[row]);
  if (DataType.isDecimal(type)) return (row) => decimalAt(values, row, type.bitWidth / 32);
  if (DataType.isDate(type)) {
    return type.unit === DateUnit.DAY
      ? (row) => values[row]
      : (row) => Math.floor(Number(values[row]) / 86_400_000);
  }
  if (DataType.isTime(type) || DataType.isTimestamp(type)) {
    const factor = NANOSECONDS[type.unit];
    return (row) => BigInt(values[row]) * factor;
  }
  const vector = new Vector([data]);
  if (DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isFixedSizeBinary(type)) {
    return (row) => Buffer.from(vector.get(row) as Uint8Array).toString('hex');
  }
  if (familyOf(type) === null) return () => true;
  return (row) => vector.get(row) as Cell;
}

const NANOSECONDS = {
  [TimeUnit.SECOND]: 1_000_000_000n,
  [TimeUnit.MILLISECOND]: 1_000_000n,
  [TimeUnit.MICROSECOND]: 1_000n,
  [TimeUnit.NANOSECOND]: 1n,
};

function decimalAt(words: Uint32Array, row: number, width: number): bigint {
  let value = 0n;
  for (let word = width - 1; word >= 0; word--) value = (value << 32n) | BigInt(words[row * width + word]!);
  return BigInt.asIntN(width * 32, value);
}
