import { dayFromNumber, dayNumber, isDay } from './day.ts';

const SECOND = 1_000_000_000n;
const DAY = 86_400n * SECOND;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?$/;

/** Nanoseconds since midnight of a time of day (`13:45:00.000001`), or null where it is none. */
export function parseTime(text: string): bigint | null {
  const found = TIME.exec(text);
  if (found === null) return null;
  const [hour, minute, second] = found.slice(1, 4).map(Number) as [number, number, number];
  if (hour > 23 || minute > 59 || second > 59) return null;
  return BigInt(hour * 3600 + minute * 60 + second) * SECOND + BigInt((found[4] ?? '').padEnd(9, '0'));
}

/**
 * Nanoseconds since 1970-01-01T00:00:00 of a timestamp (`2026-10-01T13:45:00.000001`, with a `Z` for an instant), or null
 * where it is none.
 */
export function parseTimestamp(text: string): bigint | null {
  const [day = '', time = '', ...rest] = text.replace(/Z$/, '').split('T');
  const ofDay = parseTime(time);
  return ofDay === null || rest.length > 0 || !isDay(day) ? null : BigInt(dayNumber(day)) * DAY + ofDay;
}

/** A timestamp as text, to the microsecond where that is exact, else to the nanosecond: `2026-10-01T13:45:00.000001`. */
export function formatTimestamp(nanoseconds: bigint): string {
  const ofDay = ((nanoseconds % DAY) + DAY) % DAY;
  const day = dayFromNumber(Number((nanoseconds - ofDay) / DAY));
  return `${day}T${formatTime(ofDay)}`;
}

/** A time of day as text: `13:45:00.000001`. */
export function formatTime(nanoseconds: bigint): string {
  const seconds = Number(nanoseconds / SECOND);
  const pad = (value: number) => String(value).padStart(2, '0');
  const fraction = String(nanoseconds % SECOND).padStart(9, '0');
  const shown = fraction.endsWith('000') ? fraction.slice(0, 6) : fraction;
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}.${shown}`;
}

/** Nanoseconds since 1970-01-01 at the beginning of a day. Throws `values/day`. */
export function midnight(day: string): bigint {
  return BigInt(dayNumber(day)) * DAY;
}
