import { quoteName } from '../../../../predicate/index.ts';
import type { Field, IcebergType, Schema } from '../../../schema.ts';
import { primitive, readPrimitiveType, sqlType, unsupportedType } from './primitive.ts';

/**
 * A type as one place spells it: a Parquet file, the table's current schema, or the form in which values cross between
 * JavaScript and DuckDB. Two shapes of one column differ in names and leaf types; fields are the same by their ids.
 */
export type Shape =
  /** `sql` is left out where a file's leaf can be read as whatever the table asks for. */
  | { readonly kind: 'leaf'; readonly sql?: string }
  | { readonly kind: 'struct'; readonly fields: readonly ShapeField[] }
  | { readonly kind: 'list'; readonly element: ShapeField }
  | { readonly kind: 'map'; readonly key: ShapeField; readonly value: ShapeField };

export interface ShapeField {
  readonly id: number;
  readonly name: string;
  readonly shape: Shape;
  /** JSON single-value form of the value that rows of files without this field have. */
  readonly initialDefault?: unknown;
}

interface Spelling {
  /** Names of the fields of one struct, in order. */
  names(fields: readonly Field[]): readonly string[];
  leaf(type: string, column: string): string;
}

/**
 * Real names, as they stand in a data file. DuckDB tells names apart without case, so of `a` and `A` the second is written
 * as `A_2` with its field id: readers of Iceberg know columns by id.
 */
const FILE: Spelling = {
  names: (fields) => {
    const taken = new Set<string>();
    return fields.map((field) => {
      let name = field.name;
      while (taken.has(name.toLowerCase())) name = `${name}_${field.id}`;
      taken.add(name.toLowerCase());
      return name;
    });
  },
  leaf: (type, column) => sqlType(readPrimitiveType(type, column)),
};

/** The same for a file that is to be written. */
const WRITTEN: Spelling = { ...FILE, leaf: (type, column) => sqlType(primitive(type, column)) };

/** Names made of field ids, and text as its UTF-8 bytes, so that no decoder on the way can change it. */
const WIRE: Spelling = {
  names: (fields) => fields.map(({ id }) => `f${id}`),
  leaf: (type, column) => (type === 'string' ? 'BLOB' : FILE.leaf(type, column)),
};

/**
 * The columns of a schema as data files spell them. The shape of a column of a type that DuckDB does not read throws
 * `plane/unsupported-type` once it is asked for: the other columns can be read without it.
 */
export function fileShape(schema: Schema): readonly ShapeField[] {
  return structFields(schema.fields, FILE, '');
}

/** The columns of a schema in the form in which they cross to JavaScript; see {@link fileShape} for other types. */
export function wireShape(schema: Schema): readonly ShapeField[] {
  return structFields(schema.fields, WIRE, '');
}

/** Throws `plane/unsupported-type` unless DuckDB writes every column of a schema as it is. */
export function requireKept(schema: Schema): void {
  for (const { shape } of structFields(schema.fields, WRITTEN, '')) shapeType(shape);
}

function structFields(fields: readonly Field[], spelling: Spelling, prefix: string): readonly ShapeField[] {
  const names = spelling.names(fields);
  return fields.map((field, index) => {
    let shape: Shape | undefined;
    return {
      id: field.id,
      name: names[index]!,
      get shape(): Shape {
        shape ??= shapeOf(field.type, spelling, prefix + field.name);
        return shape;
      },
      ...(field.initialDefault === undefined ? {} : { initialDefault: field.initialDefault }),
    };
  });
}

function shapeOf(type: IcebergType, spelling: Spelling, column: string): Shape {
  if (typeof type === 'string') return { kind: 'leaf', sql: spelling.leaf(type, column) };
  const part = (id: number, name: string, of: IcebergType): ShapeField => ({
    id,
    name,
    shape: shapeOf(of, spelling, `${column}.${name}`),
  });
  switch (type.type) {
    case 'struct':
      if (type.fields.length === 0) throw unsupportedType(column, 'an empty struct');
      return { kind: 'struct', fields: structFields(type.fields, spelling, `${column}.`) };
    case 'list':
      return { kind: 'list', element: part(type.elementId, 'element', type.element) };
    case 'map':
      return {
        kind: 'map',
        key: part(type.keyId, 'key', type.key),
        value: part(type.valueId, 'value', type.value),
      };
  }
}

/** The DuckDB type of a shape; `leaf` is what a leaf without a type of its own becomes. */
export function shapeType(shape: Shape, leaf = 'VARCHAR'): string {
  switch (shape.kind) {
    case 'leaf':
      return shape.sql ?? leaf;
    case 'struct':
      return `STRUCT(${shape.fields.map((field) => `${quoteName('duckdb', field.name)} ${shapeType(field.shape)}`).join(', ')})`;
    case 'list':
      return `${shapeType(shape.element.shape)}[]`;
    case 'map':
      return `MAP(${shapeType(shape.key.shape)}, ${shapeType(shape.value.shape)})`;
  }
}
