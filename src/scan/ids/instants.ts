import { isDay } from '../../values/day.ts';
import type { Literal } from '../../values/literal.ts';
import { midnight, parseTime, parseTimestamp } from '../../values/timestamp.ts';

/**
 * What a date, time or timestamp literal counts in nanoseconds, since 1970-01-01 or since midnight; null for other literals
 * and for text that is none.
 */
export function nanosOf(literal: Literal): bigint | null {
  switch (literal.type) {
    case 'date':
      return isDay(literal.value) ? midnight(literal.value) : null;
    case 'time':
      return parseTime(literal.value);
    case 'timestamp':
    case 'timestamptz':
      return parseTimestamp(literal.value);
    default:
      return null;
  }
}

/** Nanoseconds in one of the units in which columns count. */
export const NANOS = {
  days: 86_400_000_000_000n,
  millis: 1_000_000n,
  micros: 1000n,
  nanos: 1n,
} as const;
