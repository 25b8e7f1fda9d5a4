import { isUtf8 } from 'node:buffer';
import type { DuckDBBlobValue, DuckDBValue } from '@duckdb/node-api';
import { type Data, DataType, type Time, type Timestamp } from 'apache-arrow';
import {
  blobValue,
  DuckDBDecimalValue,
  dateValue,
  timestampNanosValue,
  timestampTZValue,
  timestampValue,
  timeValue,
  uuidValue,
} from '../duckdb.ts';
import { rowsError } from '../errors.ts';
import { type Primitive, sqlType } from '../sql/primitive.ts';
import { arrowPrimitive } from './fields.ts';
import { typeError } from './misfit.ts';

type Read = (index: number) => DuckDBValue;

const DAY_MILLIS = 86_400_000n;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Binds an Arrow array to a primitive column; nulls are the caller's. Text is given as its bytes. */
export function readPrimitive(data: Data, wanted: Primitive, column: string): Read {
  const read = readerFor(data, wanted, column);
  if (read === null) throw typeError(data, column, name(wanted), arrowPrimitive(wanted).constructor.name);
  return read;
}

function readerFor(data: Data, wanted: Primitive, column: string): Read | null {
  const misfit = (): never => {
    throw rowsError('value', `Column ${column} is ${name(wanted)}, and a value in the rows does not fit it`, {
      column,
      type: name(wanted),
      given: String(data.type),
    });
  };
  switch (wanted.kind) {
    case 'boolean':
      return DataType.isBool(data.type) ? boolean(data) : null;
    case 'int':
      return integers(data, 32, misfit, Number);
    case 'long':
      return integers(data, 64, misfit, (value) => value);
    case 'float':
    case 'double':
      return floats(data, wanted.kind, misfit);
    case 'decimal':
      return decimals(data, wanted, misfit);
    case 'date':
      return dates(data, misfit);
    case 'time':
      return DataType.isTime(data.type) ? scaled(data, 6, misfit, timeValue) : null;
    case 'timestamp':
      return zoned(data, false) ? scaled(data, 6, misfit, timestampValue) : null;
    case 'timestamptz':
      return zoned(data, true) ? scaled(data, 6, misfit, timestampTZValue) : null;
    case 'timestamp_ns':
      return zoned(data, false) ? scaled(data, 9, misfit, timestampNanosValue) : null;
    case 'string':
      return DataType.isUtf8(data.type) || DataType.isLargeUtf8(data.type) ? text(data, misfit) : null;
    case 'uuid':
      return uuids(data, misfit);
    case 'binary':
      return binary(data);
  }
}

function name(wanted: Primitive): string {
  return wanted.kind === 'decimal' ? sqlType(wanted).toLowerCase() : wanted.kind;
}

function boolean({ values, offset }: Data): Read {
  return (index) => ((values[(offset + index) >> 3]! >> ((offset + index) & 7)) & 1) === 1;
}

function integers(
  data: Data,
  bits: 32 | 64,
  misfit: () => never,
  give: (value: bigint) => DuckDBValue,
): Read | null {
  if (!DataType.isInt(data.type)) return null;
  const values: ArrayLike<number | bigint> = data.values;
  const fits = data.type.bitWidth < bits || (data.type.bitWidth === bits && data.type.isSigned);
  if (fits && bits === 32) return (index) => values[index] as number;
  return (index) => {
    const value = BigInt(values[index]!);
    return fits || BigInt.asIntN(bits, value) === value ? give(value) : misfit();
  };
}

function floats(data: Data, kind: 'float' | 'double', misfit: () => never): Read | null {
  if (!DataType.isFloat(data.type)) return null;
  const values: ArrayLike<number> = data.values;
  const get =
    data.type.precision === 0
      ? (index: number): number => half(values[index]!)
      : (index: number): number => values[index]!;
  if (kind === 'double' || data.type.precision < 2) return get;
  return (index) => {
    const value = get(index);
    return Object.is(Math.fround(value), value) || Number.isNaN(value) ? value : misfit();
  };
}

/** IEEE 754 binary16. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function decimals(
  data: Data,
  { precision, scale }: Primitive & { readonly kind: 'decimal' },
  misfit: () => never,
): Read | null {
  if (!DataType.isDecimal(data.type)) return null;
  const words: Uint32Array = data.values;
  const width = data.type.bitWidth / 32;
  const up = 10n ** BigInt(Math.max(scale - data.type.scale, 0));
  const down = 10n ** BigInt(Math.max(data.type.scale - scale, 0));
  const limit = 10n ** BigInt(precision);
  return (index) => {
    let unscaled = 0n;
    for (let word = width - 1; word >= 0; word--)
      unscaled = (unscaled << 32n) | BigInt(words[index * width + word]!);
    unscaled = BigInt.asIntN(width * 32, unscaled);
    const value = (unscaled * up) / down;
    if (value * down !== unscaled * up || value >= limit || value <= -limit) misfit();
    return new DuckDBDecimalValue(value, precision, scale);
  };
}

function dates(data: Data, misfit: () => never): Read | null {
  if (!DataType.isDate(data.type)) return null;
  const values: ArrayLike<number | bigint> = data.values;
  if (data.type.unit === 0) return (index) => dateValue(Number(values[index]));
  return (index) => {
    const millis = BigInt(values[index]!);
    return millis % DAY_MILLIS === 0n ? dateValue(Number(millis / DAY_MILLIS)) : misfit();
  };
}

function zoned({ type }: Data, wanted: boolean): boolean {
  return DataType.isTimestamp(type) && Boolean(type.timezone) === wanted;
}

/** Counts of a unit of 10^-digits seconds, from an array whose unit is 10^-(0, 3, 6 or 9) seconds. */
function scaled(data: Data, digits: 6 | 9, misfit: () => never, give: (count: bigint) => DuckDBValue): Read {
  const values: ArrayLike<number | bigint> = data.values;
  const shift = digits - 3 * (data.type as Timestamp | Time).unit;
  if (shift === 0) return (index) => give(BigInt(values[index]!));
  const factor = 10n ** BigInt(Math.abs(shift));
  return (index) => {
    const value = BigInt(values[index]!);
    if (shift < 0) return value % factor === 0n ? give(value / factor) : misfit();
    const product = value * factor;
    return BigInt.asIntN(64, product) === product ? give(product) : misfit();
  };
}

function bytes({ values, valueOffsets }: Data): Read {
  const offsets: ArrayLike<number | bigint> = valueOffsets;
  return (index) => blobValue(values.subarray(Number(offsets[index]), Number(offsets[index + 1])));
}

/** Text as its bytes. Arrow's own decoder would put U+FFFD for what is no UTF-8; here that is an error. */
function text(data: Data, misfit: () => never): Read {
  const read = bytes(data);
  const offsets: ArrayLike<number | bigint> = data.valueOffsets;
  const used = data.values.subarray(Number(offsets[0] ?? 0), Number(offsets[data.length] ?? 0));
  if (isUtf8(used)) return read;
  return (index) => {
    const value = read(index) as DuckDBBlobValue;
    return isUtf8(value.bytes) ? value : misfit();
  };
}

function binary(data: Data): Read | null {
  if (DataType.isFixedSizeBinary(data.type)) {
    const { values, stride } = data;
    return (index) => blobValue(values.subarray(index * stride, (index + 1) * stride));
  }
  return DataType.isBinary(data.type) || DataType.isLargeBinary(data.type) ? bytes(data) : null;
}

function uuids(data: Data, misfit: () => never): Read | null {
  if (DataType.isFixedSizeBinary(data.type) && data.type.byteWidth === 16) {
    const { values } = data;
    return (index) =>
      uuidValue(BigInt(`0x${Buffer.from(values.subarray(index * 16, index * 16 + 16)).toString('hex')}`));
  }
  if (!DataType.isUtf8(data.type)) return null;
  const { values, valueOffsets } = data;
  return (index) => {
    const text = Buffer.from(values.subarray(valueOffsets[index], valueOffsets[index + 1])).toString(
      'latin1',
    );
    return UUID.test(text) ? uuidValue(BigInt(`0x${text.replaceAll('-', '')}`)) : misfit();
  };
}
