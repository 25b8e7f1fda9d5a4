import * as z from 'zod';
import { parseDayFormat } from '../../values/day-format.ts';
import { type Period, parsePeriod } from '../../values/period.ts';
import { parseTimeZone } from '../../values/zone.ts';
import type { RetentionRule } from '../governance.ts';
import type { TomlDocument } from '../toml/document.ts';
import type { KeyPath } from '../toml/places.ts';
import { readNamed, readValue, table } from '../toml/read.ts';
import { checkedText, columnName, condition } from './pieces.ts';

/** A thousand years: any longer and the cutoff leaves the calendar. */
const MOST_DAYS = 365_000;

const rule = table({
  keep_days: z.int().min(1).max(MOST_DAYS).optional(),
  keep: checkedText(parsePeriod)
    .refine(isInCalendar, { message: `must be at most ${MOST_DAYS} days` })
    .optional(),
  counted_from: columnName,
  format: checkedText((value) => parseDayFormat(value).format).optional(),
  only_when: condition.optional(),
  counted_from_end_of: z.enum(['year', 'quarter', 'month']).optional(),
  time_zone: checkedText(parseTimeZone).default('UTC'),
  errs: z.enum(['early', 'late']).optional(),
}).transform((value, context) => {
  const keep = keepOf(value.keep_days, value.keep);
  if (keep !== null) return { ...value, keep };
  const both = value.keep_days !== undefined;
  context.issues.push({
    code: 'custom',
    message: both ? 'both keep_days and keep are given; keep one' : 'neither keep_days nor keep is given',
    input: value,
    path: both ? ['keep'] : [],
    params: { code: 'governance/keep' },
  });
  return z.NEVER;
});

function isInCalendar({ years, months, days }: Period): boolean {
  return (years * 12 + months) * (365 / 12) + days <= MOST_DAYS;
}

function keepOf(days: number | undefined, period: Period | undefined): RetentionRule['keep'] | null {
  if (days !== undefined) return period === undefined ? { days } : null;
  return period === undefined ? null : { period };
}

/** Reads `[tables."…"]`: one rule, or an array of tables with several. */
export function readRetentionRules(document: TomlDocument): Map<string, readonly RetentionRule[]> {
  return readNamed(document, ['tables'], (value, path, name) => {
    const rules = Array.isArray(value) ? value : [value];
    if (rules.length === 0) {
      document.fault({ code: 'governance/wrong-value', path, message: 'the list is empty', found: value });
    }
    const read = rules.map((one, index) =>
      readRule(document, Array.isArray(value) ? [...path, index] : path, name, one),
    );
    return read.length > 0 && read.every((one) => one !== null) ? read : null;
  });
}

function readRule(document: TomlDocument, path: KeyPath, name: string, value: unknown): RetentionRule | null {
  const read = readValue(document, path, rule, value);
  if (read === null) return null;
  return {
    table: name,
    keep: read.keep,
    countedFrom: read.counted_from,
    timeZone: read.time_zone,
    at: document.placeOf(path),
    ...(read.format !== undefined && { format: read.format }),
    ...(read.only_when !== undefined && { onlyWhen: read.only_when }),
    ...(read.counted_from_end_of !== undefined && { countedFromEndOf: read.counted_from_end_of }),
    ...(read.errs !== undefined && { errs: read.errs }),
  };
}
