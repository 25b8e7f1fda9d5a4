import type { SchemaElement } from 'hyparquet';
import { Unread } from '../unread.ts';
import { deltaLengthTexts, deltaNumbers, deltaTexts } from './delta.ts';
import { ENCODING, encodingName } from './pages.ts';

/** Decoded values of one page or dictionary. */
export type Values =
  | { readonly kind: 'integers'; readonly values: Int32Array | BigInt64Array }
  | { readonly kind: 'floats'; readonly values: Float32Array | Float64Array }
  | { readonly kind: 'texts'; readonly values: readonly Uint8Array[] };

const WIDTH: Readonly<Record<string, number>> = { INT32: 4, INT64: 8, FLOAT: 4, DOUBLE: 8, INT96: 12 };

/** Decodes the values of a column that ids are sought in. Throws {@link Unread} for encodings that no writer uses there. */
export function decodeValues(
  bytes: Uint8Array,
  encoding: number,
  { element, count }: { readonly element: SchemaElement; readonly count: number },
): Values {
  const { type } = element;
  if (type === 'BYTE_ARRAY') return { kind: 'texts', values: texts(bytes, encoding, count) };
  if (type === 'FIXED_LEN_BYTE_ARRAY') {
    const width = fixedLength(element);
    if (encoding === ENCODING.DELTA_BYTE_ARRAY) return { kind: 'texts', values: deltaTexts(bytes, 0, count) };
    const plain = plainBytes(bytes, encoding, { width, count });
    return {
      kind: 'texts',
      values: Array.from({ length: count }, (_, i) => plain.subarray(i * width, (i + 1) * width)),
    };
  }
  if (encoding === ENCODING.DELTA_BINARY_PACKED && (type === 'INT32' || type === 'INT64')) {
    const { numbers } = deltaNumbers(bytes, 0, count);
    return { kind: 'integers', values: type === 'INT64' ? numbers : narrow(numbers) };
  }
  const width = WIDTH[type ?? ''];
  if (width === undefined) throw new Unread(`ids cannot be sought in a column of ${type}`);
  const { buffer } = aligned(plainBytes(bytes, encoding, { width, count }));
  switch (type) {
    case 'INT32':
      return { kind: 'integers', values: new Int32Array(buffer) };
    case 'INT64':
      return { kind: 'integers', values: new BigInt64Array(buffer) };
    case 'INT96':
      return { kind: 'integers', values: microsOf(buffer, count) };
    case 'FLOAT':
      return { kind: 'floats', values: new Float32Array(buffer) };
    default:
      return { kind: 'floats', values: new Float64Array(buffer) };
  }
}

/** Decodes the texts of a BYTE_ARRAY page. */
export function texts(bytes: Uint8Array, encoding: number, count: number): readonly Uint8Array[] {
  switch (encoding) {
    case ENCODING.PLAIN:
      return plainTexts(bytes, count);
    case ENCODING.DELTA_LENGTH_BYTE_ARRAY:
      return deltaLengthTexts(bytes, 0, count);
    case ENCODING.DELTA_BYTE_ARRAY:
      return deltaTexts(bytes, 0, count);
    default:
      throw new Unread(`texts are in the encoding ${encodingName(encoding)}, which cannot be read`);
  }
}

function plainTexts(bytes: Uint8Array, count: number): readonly Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  return Array.from({ length: count }, () => {
    if (at + 4 > bytes.length) throw new Unread('a page ends early');
    const to = at + 4 + view.getUint32(at, true);
    if (to > bytes.length) throw new Unread('a text is longer than its page');
    const text = bytes.subarray(at + 4, to);
    at = to;
    return text;
  });
}

/** Values of one width, one after the other; BYTE_STREAM_SPLIT is put together again. */
export function plainBytes(
  bytes: Uint8Array,
  encoding: number,
  { width, count }: { readonly width: number; readonly count: number },
): Uint8Array {
  const size = width * count;
  if (bytes.length < size) throw new Unread('a page ends early');
  if (encoding === ENCODING.PLAIN) return bytes.subarray(0, size);
  if (encoding !== ENCODING.BYTE_STREAM_SPLIT)
    throw new Unread(`values are in the encoding ${encodingName(encoding)}, which cannot be read`);
  const joined = new Uint8Array(size);
  for (let k = 0; k < width; k++) {
    for (let i = 0; i < count; i++) joined[i * width + k] = bytes[k * count + i]!;
  }
  return joined;
}

/** Each value by itself in the PLAIN form, texts without their length. The bytes stay as they are until the next is taken. */
export function* plainForms({ kind, values }: Values): Generator<Uint8Array> {
  if (kind === 'texts') {
    yield* values;
    return;
  }
  const width = values.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  for (let at = 0; at < bytes.length; at += width) yield bytes.subarray(at, at + width);
}

const JULIAN_DAY_OF_1970 = 2_440_588n;
const MICROS_OF_A_DAY = 86_400_000_000n;

/** The deprecated timestamps of twelve bytes, nanoseconds of a day and its Julian number, as microseconds since 1970-01-01. */
function microsOf(buffer: ArrayBuffer, count: number): BigInt64Array {
  const view = new DataView(buffer);
  return BigInt64Array.from({ length: count }, (_, i) => {
    const day = BigInt(view.getUint32(i * 12 + 8, true)) - JULIAN_DAY_OF_1970;
    return day * MICROS_OF_A_DAY + view.getBigInt64(i * 12, true) / 1000n;
  });
}

/** Length of each value of a FIXED_LEN_BYTE_ARRAY column. */
export function fixedLength(element: SchemaElement): number {
  if (!(Number(element.type_length) > 0)) throw new Unread('the Parquet footer is damaged');
  return element.type_length!;
}

/** A copy in memory of its own, so that typed arrays of any width can lie over it. */
function aligned(bytes: Uint8Array): { readonly buffer: ArrayBuffer } {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy;
}

function narrow(numbers: BigInt64Array): Int32Array {
  return Int32Array.from(numbers, (number) => Number(BigInt.asIntN(32, number)));
}
