import type { RetentionRule } from '../governance/governance.ts';
import { addDays, addPeriod, calendarDay, formatDay } from '../values/day.ts';
import type { Day } from '../values/time.ts';

/**
 * The first day that a rule keeps (rule R2). `day` is passed in, and nothing here reads a clock (rule R1).
 *
 * - `keep_days` counts days; `keep` counts calendar months and years, and where a month is too short its last day stands
 *   (rule R3): `P1M` from 31 March keeps from the last of February on.
 * - With `counted_from_end_of = "year"` a row's period begins when its calendar year ends, so whole years fall due at once
 *   (also `quarter`, `month`).
 *
 * Throws `values/day`.
 *
 * @example cutoff(rule, '2026-10-01') // '2024-10-01' for keep_days = 730
 */
export function cutoff(rule: RetentionRule, day: Day): Day {
  const counted = 'days' in rule.keep ? addDays(day, -rule.keep.days) : addPeriod(day, rule.keep.period, -1);
  return rule.countedFromEndOf === undefined ? counted : beginningOf(rule.countedFromEndOf, counted);
}

/** A row is due once the end of its year is before the cutoff: all years before the cutoff's own. */
function beginningOf(unit: 'year' | 'quarter' | 'month', day: Day): Day {
  const { year, month } = calendarDay(day);
  const first = { year: 1, quarter: month - ((month - 1) % 3), month }[unit];
  return formatDay({ year, month: first, day: 1 });
}
