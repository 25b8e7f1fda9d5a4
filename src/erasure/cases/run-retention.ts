import { InputError } from '../../errors.ts';
import type { RetentionRule } from '../../governance/governance.ts';
import { columnsOf, evaluate, or } from '../../predicate/index.ts';
import { cutoff, due } from '../../retention/index.ts';
import type { CaseFailure, CaseRow, RetentionCase } from './case.ts';
import { rowTable } from './row-table.ts';

/** Compares the cutoff, and what the rules say of each row. */
export function runRetentionCase(one: RetentionCase, all: readonly RetentionRule[]): CaseFailure[] {
  const rules = one.rule === undefined ? all : all.slice(one.rule - 1, one.rule);
  if (rules.length === 0)
    return [{ ...one.at, message: `${one.table} has ${all.length} rule(s), so no rule ${one.rule}` }];
  return [
    ...cutoffFailures(one, rules),
    ...one.due.flatMap(({ value, at }) => rowFailures({ one, rules, row: value, expected: 'due' }, at)),
    ...one.kept.flatMap(({ value, at }) => rowFailures({ one, rules, row: value, expected: 'kept' }, at)),
  ];
}

function cutoffFailures(one: RetentionCase, rules: readonly RetentionRule[]): CaseFailure[] {
  if (one.keptFrom === undefined) return [];
  const { value, at } = one.keptFrom;
  const days = [...new Set(rules.map((rule) => cutoff(rule, one.day)))];
  if (days.length === 1 && days[0] === value) return [];
  const more = days.length > 1 ? '; say which rule with rule = 1' : '';
  return [{ ...at, message: `rows are kept from ${days.join(' and ')}, not ${value}${more}` }];
}

function rowFailures(
  check: {
    readonly one: RetentionCase;
    readonly rules: readonly RetentionRule[];
    readonly row: CaseRow;
    readonly expected: 'due' | 'kept';
  },
  at: CaseFailure | RetentionCase['at'],
): CaseFailure[] {
  const outcome = outcomeOf(check.row, check.rules, check.one.day);
  return outcome === check.expected
    ? []
    : [{ ...at, message: `the row is ${outcome}, not ${check.expected}` }];
}

/** A row is due when any rule says so; where a rule cannot be asked of it, the reason is the outcome. */
function outcomeOf(row: CaseRow, rules: readonly RetentionRule[], day: string): string {
  const predicate = or(...rules.map((rule) => due(rule, day)));
  const columns = columnsOf(predicate);
  const stray = [...row.keys()].filter((column) => !columns.includes(column));
  if (stray.length > 0) return `nothing: no rule reads ${stray.join(', ')} (they read ${columns.join(', ')})`;
  try {
    return evaluate(predicate, rowTable(row, columns))[0] === true ? 'due' : 'kept';
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return `nothing: ${error.message}`;
  }
}
