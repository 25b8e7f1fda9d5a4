import { InputError } from '../errors.ts';
import type { Period } from './period.ts';
import type { Day } from './time.ts';

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A calendar day taken apart; `month` and `day` count from 1. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * Checks that `text` is a real day of the Gregorian calendar, written `2026-10-01` (rule R1: days are passed in).
 * Throws `values/day`.
 */
export function parseDay(text: string): Day {
  calendarDay(text);
  return text;
}

/** Whether `text` is a real day, written `2026-10-01`. */
export function isDay(text: string): boolean {
  return takeApart(text) !== null;
}

/** The day `days` later (earlier where negative). Throws `values/day`. */
export function addDays(day: Day, days: number): Day {
  return dayFromNumber(dayNumber(day) + days);
}

/**
 * The day one calendar period later (`sign` 1) or earlier (-1). Years and months first: where the month is too short, its
 * last day stands (31 March less one month is 28 or 29 February); then the days. Throws `values/day`.
 */
export function addPeriod(day: Day, period: Period, sign: 1 | -1): Day {
  const { year, month, day: dayOfMonth } = calendarDay(day);
  const months = year * 12 + (month - 1) + sign * (period.years * 12 + period.months);
  const target = { year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1 };
  const clamped = Math.min(dayOfMonth, monthLength(target.year, target.month));
  return addDays(formatDay({ ...target, day: clamped }), sign * period.days);
}

/** Days since 1970-01-01, as Iceberg's `date` counts. Throws `values/day`. */
export function dayNumber(day: Day): number {
  const { year, month, day: dayOfMonth } = calendarDay(day);
  // Years are counted from March, so that the leap day comes last (Howard Hinnant, chrono-compatible algorithms).
  const y = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + dayOfMonth - 1;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

/** The day that is `days` after 1970-01-01. Throws `values/day` outside the years 1 to 9999. */
export function dayFromNumber(days: number): Day {
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = ((shiftedMonth + 2) % 12) + 1;
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return formatDay({ year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day });
}

/** Takes a day apart. Throws `values/day`. */
export function calendarDay(day: Day): CalendarDay {
  const parts = takeApart(day);
  if (parts === null) throw noDay();
  return parts;
}

/** Puts a day together. Throws `values/day` where the calendar has no such day. */
export function formatDay({ year, month, day }: CalendarDay): Day {
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  return parseDay(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`);
}

function takeApart(text: string): CalendarDay | null {
  const found = DAY.exec(text);
  if (found === null) return null;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  const real = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month);
  return real ? { year, month, day } : null;
}

/** Days in a month; `month` counts from 1. */
export function monthLength(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : MONTH_LENGTHS[month - 1]!;
}

/** What was found instead is not said: it can be the value of a row. */
function noDay(): InputError {
  return new InputError('values/day', 'What is given as a day is no day of the calendar', {
    remedy: 'Write it as 2026-10-01, in the years 0001 to 9999',
  });
}
