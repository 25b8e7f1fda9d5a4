import type { Comparable } from '../manifest/single-value.ts';
import type { ValueRange } from './extent.ts';

const HALF = 8;

/**
 * What bounds of a uuid column prove, whoever wrote them. By the specification they are in the order of the bytes. Iceberg's own Java
 * writers took `java.util.UUID.compareTo` until 2026, which compares each half as a signed number, and merged by it what each row group's
 * statistics say, which is in the order of the bytes (apache/iceberg#14216, #14500). In all of these orders a lower bound below 8000…, and
 * an upper one from there on, is right in its first half. Nothing else is, and no bounds say that a file holds one value.
 */
export function uuidRange({ lower, upper, nulls }: ValueRange): ValueRange {
  return {
    lower: isHigh(lower) === false ? withRest(lower as Uint8Array, 0) : undefined,
    upper: isHigh(upper) === true ? withRest(upper as Uint8Array, 0xff) : undefined,
    nulls,
  };
}

/** Whether a uuid is a negative number to Java; undefined where it is not known. */
function isHigh(uuid: Comparable | undefined): boolean | undefined {
  return uuid instanceof Uint8Array ? uuid[0]! >= 0x80 : undefined;
}

function withRest(uuid: Uint8Array, rest: number): Uint8Array {
  return uuid.slice().fill(rest, HALF);
}
