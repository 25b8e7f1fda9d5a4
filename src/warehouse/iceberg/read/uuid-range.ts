import { compareValues } from '../manifest/single-value.ts';
import type { ValueRange } from './extent.ts';

const HALF = 8;

/**
 * What bounds of a uuid column prove, whoever wrote them. By the specification they are in the order of the bytes; Iceberg's own Java
 * writers took `java.util.UUID.compareTo` until 2026, which compares each half as a signed number (apache/iceberg#14216, #14500). So a
 * range is taken only as far as both orders agree.
 */
export function uuidRange(range: ValueRange): ValueRange {
  const { lower, upper, nulls } = range;
  if (!(lower instanceof Uint8Array) || !(upper instanceof Uint8Array)) return { ...UNKNOWN, nulls };
  const [low, high] = [isNegative(lower), isNegative(upper)];
  // One value, or what only the order of the bytes puts so.
  if (compareValues(lower, upper) === 0 || (!low && high)) return range;
  // What only signed numbers put so: it holds both ends of the order of the bytes.
  if (low && !high) return { ...UNKNOWN, nulls };
  return { lower: withRest(lower, 0), upper: withRest(upper, 0xff), nulls };
}

const UNKNOWN = { lower: undefined, upper: undefined };

function isNegative(uuid: Uint8Array): boolean {
  return (uuid[0] ?? 0) >= 0x80;
}

/** The second half may be in either order. */
function withRest(uuid: Uint8Array, rest: number): Uint8Array {
  const bytes = uuid.slice();
  return bytes.fill(rest, HALF);
}
