import { dayNumber, isDay } from '../../values/day.ts';
import type { Instant } from '../../values/time.ts';

const ISO =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9})\d*)?)?(Z|z|[+-]\d{2}:?\d{2})?$/;
const DAY_MS = 86_400_000;

/**
 * The instant of an `eventTime`, by arithmetic alone: producers write `Z`, `+00:00` or no offset (then UTC), and up to nine
 * digits of a second. Null where it is no time.
 */
export function instantOf(text: string): Instant | null {
  const parts = ISO.exec(text);
  if (parts === null || !isDay(parts[1]!)) return null;
  const [, day, hour, minute, second = '0', fraction = '', zone = 'Z'] = parts;
  const clock = Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000;
  const milliseconds = fraction === '' ? 0 : Number(`0.${fraction}`) * 1000;
  return dayNumber(day!) * DAY_MS + clock + milliseconds - offsetOf(zone);
}

function offsetOf(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.slice(1).replace(':', '');
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000;
}
