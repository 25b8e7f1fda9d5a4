import { InputError, type Place } from '../errors.ts';
import type { Governance } from '../governance/governance.ts';
import { columnsOf, resolveDays } from '../predicate/index.ts';
import type { Day } from '../values/time.ts';
import type { TableDescription, Warehouse } from '../warehouse/warehouse.ts';
import { due } from './due.ts';
import { type NamedRule, namedRules } from './rules.ts';

/** A rule together with the table that it is for. */
export interface RuleOfTable extends NamedRule {
  readonly description: TableDescription;
}

/** A rule that does not fit its table. */
export interface RuleProblem {
  readonly table: string;
  readonly place: Place;
  readonly message: string;
}

/**
 * Brings every rule to its table before anything is counted or deleted: the table exists, the rule's columns do, and the
 * date is a date, a timestamp, or text in a declared format (hazard 28).
 *
 * Throws `retention/rules-and-tables` with all problems at once, and `values/day`.
 */
export async function rulesOfTables(
  warehouse: Pick<Warehouse, 'list' | 'describe'>,
  governance: Governance,
  day: Day,
): Promise<RuleOfTable[]> {
  const tables = new Set(await warehouse.list());
  const problems: RuleProblem[] = [];
  const found: RuleOfTable[] = [];
  for (const named of namedRules(governance)) {
    const { table, at: place } = named.rule;
    if (!tables.has(table)) {
      problems.push({ table, place, message: 'the warehouse has no such table' });
      continue;
    }
    const description = await warehouse.describe(table);
    const message = misfit(named, description, day);
    if (message === null) found.push({ ...named, description });
    else problems.push({ table, place, message });
  }
  if (problems.length > 0) throw rulesDoNotFit(problems);
  return found;
}

function misfit({ rule }: NamedRule, { columns }: TableDescription, day: Day): string | null {
  try {
    const predicate = resolveDays(due(rule, day), columns);
    const missing = columnsOf(predicate).filter((name) => !columns.some((column) => column.name === name));
    return missing.length === 0
      ? null
      : `there is no column ${missing.map((name) => JSON.stringify(name)).join(', ')}`;
  } catch (error) {
    if (!(error instanceof InputError) || error.code === 'values/day') throw error;
    return error.message;
  }
}

function rulesDoNotFit(problems: readonly RuleProblem[]): InputError {
  const lines = problems.map(
    ({ table, place, message }) => `${place.file}:${place.line}:${place.column} ${table}: ${message}`,
  );
  return new InputError(
    'retention/rules-and-tables',
    `Rules do not fit their tables:\n${lines.join('\n')}\n`,
    {
      remedy: 'Correct the rules or the tables; no table was changed',
      data: { problems },
    },
  );
}
