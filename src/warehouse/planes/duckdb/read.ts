import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api';
import { Schema as ArrowSchema, type RecordBatch } from 'apache-arrow';
import { always, type Predicate } from '../../../predicate/index.ts';
import type { Literal } from '../../../values/literal.ts';
import type { PlaneFile, PlaneRead, PlaneTable } from '../../data-plane.ts';
import type { Schema } from '../../schema.ts';
import type { Tuple } from '../../warehouse.ts';
import { recordBatch } from './arrow/batch.ts';
import { arrowField } from './arrow/fields.ts';
import type { Column } from './columns.ts';
import type { Context } from './context.ts';
import { refused } from './errors.ts';
import { blame, fileGroups, type OpenFile } from './files.ts';
import { Gathered } from './gathered.ts';
import { TableRows } from './rows.ts';
import type { Condition } from './sql/condition.ts';
import { textsMayHold } from './sql/may-hold.ts';
import { reshape } from './sql/reshape.ts';
import { wireShape } from './sql/shape.ts';
import { literal } from './value.ts';

/**
 * The rows for which `where` is true as Arrow batches, in file and row order. `columns` are full names; a nested one comes
 * out as a column of that full name.
 */
export async function* readRows(
  context: Context,
  table: PlaneTable,
  { files, read }: { readonly files: readonly PlaneFile[]; readonly read: PlaneRead },
): AsyncGenerator<RecordBatch> {
  const rows = new TableRows(table);
  const columns = (read.columns ?? table.schema.fields.map(({ name }) => name)).map((name) =>
    rows.column(name),
  );
  // A required field of a null struct is null all the same.
  const schema = new ArrowSchema(
    columns.map(({ name, field, path }) =>
      arrowField({ ...field, name, required: path.every((one) => one.required) }),
    ),
  );
  const types = columns.map(({ field }) => field.type);
  const query = queryOf(rows, columns, read);
  for await (const chunk of selected(context, { query, files, distinct: false })) {
    yield recordBatch(schema, types, chunk);
  }
}

/**
 * The distinct tuples of primitive columns where `where` is true.
 *
 * @throws RefusedError `plane/not-comparable` for a nested column, `plane/no-literal` for a value that a literal cannot say
 * (a day outside the years 1 to 9999)
 */
export async function* distinctTuples(
  context: Context,
  table: PlaneTable,
  {
    files,
    read,
  }: {
    readonly files: readonly PlaneFile[];
    readonly read: {
      readonly columns: readonly string[];
      readonly where?: Predicate | undefined;
      readonly mayHold?: readonly string[] | undefined;
    };
  },
): AsyncGenerator<Tuple> {
  const rows = new TableRows(table);
  const columns = read.columns.map((name) => rows.column(name));
  const literals = columns.map((column) => literalsOf(table.table, column));
  const query = queryOf(rows, columns, read);
  for await (const chunk of selected(context, { query, files, distinct: true })) {
    const values = chunk.getColumns();
    for (let row = 0; row < chunk.rowCount; row++)
      yield literals.map((literalOf, index) => literalOf(values[index]![row]!));
  }
}

function literalsOf(
  table: string,
  { name, field: { type } }: Column,
): (value: DuckDBValue) => Literal | null {
  const data = { table, column: name };
  if (typeof type !== 'string') {
    const message = `Column ${name} of ${table} is a ${type.type}, whose values are not told apart`;
    throw refused('not-comparable', message, 'Name a column inside it', data);
  }
  return (value) => {
    try {
      return literal(type, value);
    } catch {
      // What was thrown can quote the value.
      const message = `Column ${name} of ${table} holds a ${type} that cannot be written as a literal`;
      throw refused('no-literal', message, 'Correct the value with the engine that wrote it', data);
    }
  };
}

function queryOf(
  rows: TableRows,
  columns: readonly Column[],
  {
    where,
    mayHold,
  }: { readonly where?: Predicate | undefined; readonly mayHold?: readonly string[] | undefined },
): Query {
  const may = mayHold === undefined ? 'TRUE' : textsMayHold(columns, mayHold);
  return { rows, where: rows.where(where ?? always()), columns, may };
}

interface Query {
  readonly rows: TableRows;
  readonly where: Condition;
  readonly columns: readonly Column[];
  /** A further condition, over the columns themselves. */
  readonly may: string;
}

/** The columns in their wire shape, some rows at a time. */
async function* selected(
  context: Context,
  {
    query,
    files,
    distinct,
  }: { readonly query: Query; readonly files: readonly PlaneFile[]; readonly distinct: boolean },
): AsyncGenerator<DuckDBDataChunk> {
  if (files.length === 0) return;
  const { table } = query.rows;
  const doing = { doing: 'reading', table: table.table };
  const gathered = new Gathered(context, doing);
  try {
    for await (const group of fileGroups(context, table, files)) {
      const sql = select(query, group.files, distinct);
      try {
        if (distinct && !group.all) await gathered.add(sql);
        else yield* context.engine.stream(doing, sql);
      } catch (error) {
        throw await blame(context, table, { files: group.files, error });
      }
    }
    yield* gathered.distinct();
  } finally {
    await gathered.drop();
  }
}

function select({ rows, where, columns, may }: Query, files: readonly OpenFile[], distinct: boolean): string {
  const ids = columns.map(({ path }) => path[0]!.id);
  const wired = columns.map((column, index) => `${wire(column, rows.table.schema)} AS r${index}`);
  const from = `(${rows.from(files, ids, { conditions: [where], ordered: !distinct })}) WHERE (${where.where}) AND (${may})`;
  return `SELECT ${distinct ? 'DISTINCT ' : ''}${wired.join(', ')} FROM ${from}`;
}

/** The SQL of a column's value in the wire shape. */
function wire({ sql, field, shape }: Column, schema: Schema): string {
  const [target] = wireShape({ ...schema, fields: [field] });
  return reshape(sql, shape.shape, target!.shape);
}
