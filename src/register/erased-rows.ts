import { or } from '../predicate/index.ts';
import { findErased, type LookIn } from './find-erased.ts';
import type { Register } from './register.ts';

/** Rows of erased people in one table. */
export interface ErasedRows {
  readonly table: string;
  readonly rows: number;
  /** The requests that erased them. */
  readonly requests: readonly string[];
  /** Distinct values of its id columns that are no ids of the subject's type. */
  readonly notIds: number;
}

/** What a check of the warehouse against the register found. Any row is an incident. */
export interface RegisterCheck {
  /** Every table with a column that holds ids, but those that an exception keeps whole. */
  readonly tables: readonly ErasedRows[];
  readonly total: number;
}

/**
 * Counts the rows of erased people that stand in the warehouse again: after a load, a rebuild or a restore (rule G2). Rows
 * that an exception keeps are left out, unless a column that was cleared in them is filled again.
 *
 * Throws what reading the register and the tables throws. What it returns holds no id.
 *
 * @example
 * ```ts
 * const { total, tables } = await erasedRows(register, { warehouse, governance });
 * ```
 */
export async function erasedRows(register: Register, look: LookIn): Promise<RegisterCheck> {
  const erased = await register.erased();
  const tables: ErasedRows[] = [];
  for (const table of await look.warehouse.list()) {
    const found = await findErased(table, look, erased);
    if (found.length === 0) continue;
    const hits = found.filter((each) => each.hits > 0);
    const where = or(...hits.map((each) => each.where.reveal()));
    const rows = hits.length === 0 ? 0 : await look.warehouse.count(table, where);
    tables.push({
      table,
      rows,
      requests: rows === 0 ? [] : [...new Set(hits.flatMap((each) => each.requests))].sort(),
      notIds: found.reduce((sum, each) => sum + each.notIds, 0),
    });
  }
  return { tables, total: tables.reduce((sum, each) => sum + each.rows, 0) };
}
