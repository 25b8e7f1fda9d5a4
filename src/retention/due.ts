import type { RetentionRule } from '../governance/governance.ts';
import { and, beforeDay, type Predicate } from '../predicate/index.ts';
import type { Day } from '../values/time.ts';
import { cutoff } from './cutoff.ts';

/**
 * The rows that a rule no longer keeps on a day, as a predicate (rule R8): true where the row's date is before the cutoff
 * and `only_when` holds (rule R2); never true for a row without a date (rule R4). It evaluates on Arrow tables, compiles to
 * every dialect, and reads no clock: the day is written into it.
 *
 * Throws `values/day`.
 *
 * @example await warehouse.count(rule.table, due(rule, '2026-10-01'))
 */
export function due(rule: RetentionRule, day: Day): Predicate {
  const old = dated(rule, cutoff(rule, day));
  return rule.onlyWhen === undefined ? old : and(old, rule.onlyWhen);
}

/** Whether a rule's date is before a day; unknown for a row without one. */
export function dated(rule: RetentionRule, day: Day): Predicate {
  return beforeDay(rule.countedFrom, {
    day,
    timeZone: rule.timeZone,
    ...(rule.format !== undefined && { format: rule.format }),
  });
}
