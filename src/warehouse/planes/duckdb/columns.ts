import { InputError } from '../../../errors.ts';
import { quoteText } from '../../../predicate/index.ts';
import type { Field, IcebergType, Schema } from '../../schema.ts';
import { fileShape, type ShapeField } from './sql/shape.ts';

/** A field that is reached through structs only, and so has one value in each row. */
export interface Column {
  /** `address.city`. */
  readonly name: string;
  readonly field: Field;
  /** From the top-level column down, this field last. */
  readonly path: readonly Field[];
  /** SQL over a relation whose top-level columns are `f<id>` in the file shape of the schema. */
  readonly sql: string;
  /** SQL of the struct that holds it; left out at the top. */
  readonly parent?: string;
  /** How data files spell it. */
  readonly shape: ShapeField;
}

/** Every field with one value a row, top-level columns first. */
export function everyColumn(schema: Schema): readonly Column[] {
  const columns: Column[] = [];
  for (let level = topLevel(schema); level.length > 0; level = level.flatMap(inside)) columns.push(...level);
  return columns;
}

/** Columns by full name: a top-level `a.b` wins over the field `b` of `a`. */
export function columnsByName(schema: Schema): ReadonlyMap<string, Column> {
  return new Map([...everyColumn(schema)].reverse().map((column) => [column.name, column]));
}

/** The column of that full name. Throws `plane/no-such-column`. */
export function columnNamed(columns: ReadonlyMap<string, Column>, table: string, name: string): Column {
  const column = columns.get(name);
  if (column !== undefined) return column;
  throw new InputError('plane/no-such-column', `Table ${table} has no column ${name} with one value a row`, {
    remedy: `Its columns are: ${[...columns.keys()].reverse().join(', ')}`,
    data: { table, column: name },
  });
}

function topLevel(schema: Schema): readonly Column[] {
  const shapes = fileShape(schema);
  return schema.fields.map((field, index) => ({
    name: field.name,
    field,
    path: [field],
    sql: `f${field.id}`,
    shape: shapes[index]!,
  }));
}

function inside(column: Column): readonly Column[] {
  const type: IcebergType = column.field.type;
  if (typeof type === 'string' || type.type !== 'struct' || type.fields.length === 0) return [];
  const { shape } = column.shape;
  if (shape.kind !== 'struct') return [];
  return type.fields.map((field, index) => ({
    name: `${column.name}.${field.name}`,
    field,
    path: [...column.path, field],
    parent: column.sql,
    sql: `struct_extract(${column.sql}, ${quoteText('duckdb', shape.fields[index]!.name)})`,
    shape: shape.fields[index]!,
  }));
}
