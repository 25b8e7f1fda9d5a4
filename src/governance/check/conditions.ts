import { InputError } from '../../errors.ts';
import { columnsOf, compileSql, type Predicate } from '../../predicate/index.ts';
import type { CheckedTable, Origin } from './finding.ts';
import type { Names } from './names.ts';

/** A condition reads columns that exist, and compares each with constants of its type. */
export function checkCondition(
  names: Names,
  table: CheckedTable | null,
  condition: Predicate | undefined,
  origin: Origin,
): void {
  if (table === null || condition === undefined) return;
  const columns = columnsOf(condition).map((column) => names.column(table, column, origin));
  const typed = columns.flatMap((column) =>
    column?.type === undefined ? [] : [{ name: column.name, path: [column.name], type: column.type }],
  );
  if (typed.length < columns.length) return;
  try {
    // The compiler checks every constant against its column; its SQL is not used.
    compileSql(condition, 'duckdb', { columns: typed });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { column } = error.data;
    names.add('condition-type', origin, {
      table: table.table,
      column: typeof column === 'string' ? column : null,
      message: error.message,
      remedy: error.remedy,
    });
  }
}
