import type { Governance } from '../governance/governance.ts';
import { not, or } from '../predicate/index.ts';
import type { Day } from '../values/time.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import { type RuleOfTable, rulesOfTables } from './check-rules.ts';
import { cutoff } from './cutoff.ts';
import { dated, due } from './due.ts';

/** What retention works on. */
export interface RetentionOptions {
  readonly warehouse: Warehouse;
  readonly governance: Governance;
  readonly day: Day;
}

/** What counting takes: less than deleting does, so that other things than a warehouse can be counted in. */
export interface DueOptions extends Omit<RetentionOptions, 'warehouse'> {
  readonly warehouse: Pick<Warehouse, 'list' | 'describe' | 'count'>;
}

/** What is due on a day: the document of `lethe due`. */
export interface DueDocument {
  readonly schemaVersion: 1;
  readonly day: Day;
  readonly tables: readonly DueRows[];
}

/** What one rule says of its table's rows. */
export interface DueRows {
  readonly table: string;
  /** The rule's name: the table, with `#2` for its second rule. */
  readonly rule: string;
  /** The first day kept. */
  readonly keptFrom: Day;
  readonly rows: number;
  readonly due: number;
  /** Rows without a date: never due, never silent (rule R4). */
  readonly undated: number;
  /** Due rows that a hold keeps; null where holds are not built. */
  readonly held: number | null;
}

/**
 * Counts what each rule no longer keeps on a day; changes nothing. A row that two rules of a table make due is counted by
 * both.
 *
 * Throws `retention/rules-and-tables` with every rule that does not fit its table, and `values/day`.
 */
export async function dueRows({ warehouse, governance, day }: DueOptions): Promise<DueDocument> {
  const tables: DueRows[] = [];
  for (const rule of await rulesOfTables(warehouse, governance, day)) {
    tables.push(await countDue(warehouse, rule, day));
  }
  return { schemaVersion: 1, day, tables };
}

/** Counts for one rule. */
export async function countDue(
  warehouse: Pick<Warehouse, 'count'>,
  { name, rule }: RuleOfTable,
  day: Day,
): Promise<DueRows> {
  const keptFrom = cutoff(rule, day);
  const old = dated(rule, keptFrom);
  const rows = await warehouse.count(rule.table);
  // A row has a date exactly where the comparison is known: this also finds text that is no day.
  const withDate = await warehouse.count(rule.table, or(old, not(old)));
  return {
    table: rule.table,
    rule: name,
    keptFrom,
    rows,
    due: await warehouse.count(rule.table, due(rule, day)),
    undated: rows - withDate,
    held: null,
  };
}
