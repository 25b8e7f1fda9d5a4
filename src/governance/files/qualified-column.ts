import * as z from 'zod';
import type { QualifiedColumn } from '../governance.ts';
import { table } from '../toml/read.ts';
import { columnName, tableName } from './pieces.ts';

/**
 * A column of a table: `"crm.learners.email"`, or `{ table = "crm.learners", column = "address.street" }` where the text
 * would be unclear. In the text, the longest table name of `tables` is the table; without one, what stands before the last dot.
 */
export function qualifiedColumn(tables: ReadonlySet<string>): z.ZodType<QualifiedColumn> {
  return z.preprocess(
    (value) => (typeof value === 'string' ? split(value, tables) : value),
    table({ table: tableName, column: columnName }),
  );
}

function split(value: string, tables: ReadonlySet<string>): QualifiedColumn | string {
  const dots = [...value.matchAll(/\./g)].map((dot) => dot.index).reverse();
  const at = dots.find((dot) => tables.has(value.slice(0, dot))) ?? dots[0];
  return at === undefined ? value : { table: value.slice(0, at), column: value.slice(at + 1) };
}
