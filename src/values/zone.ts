import { InputError } from '../errors.ts';
import { dayFromNumber, dayNumber, formatDay } from './day.ts';
import type { Day, Instant } from './time.ts';

const DAY_SECONDS = 86_400;
/** No zone was ever further from UTC than this. */
const WIDEST_OFFSET = 27 * 3600;

/** Checks that the runtime knows an IANA zone (`Europe/Berlin`, `UTC`). Throws `values/time-zone`. */
export function parseTimeZone(timeZone: string): string {
  calendarOf(timeZone);
  return timeZone;
}

/** The day on which an instant falls in a zone. Throws `values/time-zone`. */
export function dayOfInstant(instant: Instant, timeZone: string): Day {
  if (timeZone === 'UTC') return dayFromNumber(Math.floor(instant / (DAY_SECONDS * 1000)));
  const parts = calendarOf(timeZone).formatToParts(instant);
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value);
  return formatDay({ year: part('year'), month: part('month'), day: part('day') });
}

/**
 * The first instant of a day in a zone, so that an instant is before the day where it is less. Where a clock change skips
 * midnight (or the whole day), it is the first instant after it. Throws `values/day` and `values/time-zone`.
 */
export function startOfDay(day: Day, timeZone: string): Instant {
  const utcMidnight = dayNumber(day) * DAY_SECONDS;
  if (timeZone === 'UTC') return utcMidnight * 1000;
  let before = utcMidnight - WIDEST_OFFSET;
  let from = utcMidnight + WIDEST_OFFSET;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dayOfInstant(middle * 1000, timeZone) < day) before = middle;
    else from = middle;
  }
  return from * 1000;
}

const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known !== undefined) return known;
  const made = makeCalendar(timeZone);
  calendars.set(timeZone, made);
  return made;
}

function makeCalendar(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    });
  } catch (cause) {
    throw new InputError('values/time-zone', `${JSON.stringify(timeZone)} is no time zone`, {
      remedy: 'Give an IANA zone such as "UTC" or "Europe/Berlin"',
      data: { found: timeZone },
      cause,
    });
  }
}
