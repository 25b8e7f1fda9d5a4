import { dayNumber, isDay } from '../../values/day.ts';
import type { Literal } from '../../values/literal.ts';

const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/;
const NANOS_PER_DAY = 86_400_000_000_000n;

/**
 * What a date, time or timestamp literal counts in nanoseconds, since 1970-01-01 or since midnight; null for other literals
 * and for text that is none.
 */
export function nanosOf(literal: Literal): bigint | null {
  switch (literal.type) {
    case 'date':
      return isDay(literal.value) ? BigInt(dayNumber(literal.value)) * NANOS_PER_DAY : null;
    case 'time':
      return nanosOfDay(literal.value);
    case 'timestamp':
    case 'timestamptz': {
      const [day = '', time = ''] = literal.value.replace(/Z$/, '').split('T');
      const nanos = nanosOfDay(time);
      return isDay(day) && nanos !== null ? BigInt(dayNumber(day)) * NANOS_PER_DAY + nanos : null;
    }
    default:
      return null;
  }
}

/** Nanoseconds in one of the units in which columns count. */
export const NANOS = {
  days: NANOS_PER_DAY,
  millis: 1_000_000n,
  micros: 1000n,
  nanos: 1n,
} as const;

function nanosOfDay(text: string): bigint | null {
  const parts = TIME.exec(text);
  if (parts === null) return null;
  const [, hour, minute, second = '0', fraction = ''] = parts;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}
