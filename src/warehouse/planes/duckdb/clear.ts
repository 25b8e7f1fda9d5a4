import { InputError } from '../../../errors.ts';
import type { ClearColumn } from '../../../governance/governance.ts';
import { quoteText } from '../../../predicate/index.ts';
import type { PlaneTable } from '../../data-plane.ts';
import type { Column } from './columns.ts';
import type { Session } from './engine.ts';
import { refused } from './errors.ts';
import type { TableRows } from './rows.ts';
import { reshape } from './sql/reshape.ts';
import { type ShapeField, shapeType } from './sql/shape.ts';

/** A column to clear and the SQL of what takes its value's place. */
export interface Clearing {
  readonly column: Column;
  readonly replacement: string;
}

/**
 * Checks what is to be cleared before anything is changed.
 *
 * @throws RefusedError `plane/clear-structural` for a column that partitions or sorts read (its files would be in the wrong
 * place), `plane/clear-required` for null in a required column, `plane/clear-token`
 * @throws InputError `plane/no-such-column`, `plane/clear-constant` for a constant that is no value of the column's type
 */
export async function clearings(
  session: Session,
  rows: TableRows,
  columns: readonly ClearColumn[],
): Promise<readonly Clearing[]> {
  const clearings: Clearing[] = [];
  for (const { column: name, with: instead } of columns) {
    const column = rows.column(name);
    refuseStructural(rows.table, column);
    if (instead.kind === 'token') {
      throw refused(
        'clear-token',
        `Column ${name} of ${rows.table.table} is to be replaced by a token, which this plane cannot make yet`,
        'Clear it to null or to a constant',
        { table: rows.table.table, column: name },
      );
    }
    const replacement =
      instead.kind === 'null'
        ? nullOf(rows.table, column)
        : await constantOf(session, rows.table, { column, value: instead.value });
    clearings.push({ column, replacement });
  }
  return clearings;
}

/** The SQL of a top-level column with its cleared parts replaced. */
export function cleared(field: ShapeField, clearings: readonly Clearing[]): string {
  const value = `f${field.id}`;
  const replacements = new Map(clearings.map(({ column, replacement }) => [column.field.id, replacement]));
  const whole = replacements.get(field.id);
  return whole ?? reshape(value, field.shape, field.shape, ({ id }) => replacements.get(id));
}

/** The SQL that is true where clearing changes a row: what is cleared already needs no new file. */
export function changes(clearings: readonly Clearing[]): string {
  const each = clearings.map(({ column, replacement }) => {
    const differs = `${column.sql} IS DISTINCT FROM ${replacement}`;
    // A null struct stays null, whatever would take the place of a field inside it.
    return column.parent === undefined ? differs : `(${differs} AND ${column.parent} IS NOT NULL)`;
  });
  return `(${each.join(' OR ')})`;
}

function refuseStructural({ table, structuralFieldIds }: PlaneTable, { name, path, shape }: Column): void {
  const touched = [...path.map(({ id }) => id), ...idsInside(shape)];
  if (!touched.some((id) => structuralFieldIds.includes(id))) return;
  throw refused(
    'clear-structural',
    `Column ${name} of ${table} is read by a partition spec or a sort order, so its values cannot be cleared in place`,
    'Delete the rows, or take the column out of the partition spec and the sort order first',
    { table, column: name },
  );
}

function idsInside({ shape }: ShapeField): readonly number[] {
  return shape.kind === 'struct' ? shape.fields.flatMap((field) => [field.id, ...idsInside(field)]) : [];
}

function nullOf({ table }: PlaneTable, { name, field, shape }: Column): string {
  if (!field.required) return `CAST(NULL AS ${shapeType(shape.shape)})`;
  throw refused(
    'clear-required',
    `Column ${name} of ${table} is required, so it cannot be cleared to null`,
    'Clear it to a constant, or make the column optional',
    { table, column: name },
  );
}

async function constantOf(
  session: Session,
  { table }: PlaneTable,
  { column, value }: { readonly column: Column; readonly value: string },
): Promise<string> {
  const { name, shape } = column;
  if (shape.shape.kind === 'leaf') {
    const type = shapeType(shape.shape);
    const sql =
      type === 'BLOB'
        ? `encode(${quoteText('duckdb', value)})`
        : `CAST(${quoteText('duckdb', value)} AS ${type})`;
    const fits = await session.rows(`SELECT ${type === 'BLOB' ? 'TRUE' : `TRY_${sql} IS NOT NULL`}`);
    if (fits[0]![0] === true) return sql;
  }
  throw new InputError(
    'plane/clear-constant',
    `The constant for column ${name} of ${table} is no ${shapeType(shape.shape)}`,
    {
      remedy: 'Give a constant of the column’s type in the governance files',
      data: { table, column: name },
    },
  );
}
