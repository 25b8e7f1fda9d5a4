import { refused } from '../errors.ts';
import type { FileField } from '../parquet/footer.ts';
import { type FileLeaf, readsAs } from '../parquet/leaf.ts';
import type { LocalFile } from './relation.ts';
import type { Shape, ShapeField } from './shape.ts';

/** Says why a file cannot be read as the table says. */
type Refuse = (why: string) => never;

/**
 * How a file spells one of the table's columns: its own names and structure, and the types to read its leaves as. Undefined
 * where the file was written without the column.
 *
 * @throws RefusedError `plane/file-schema` where reading would lose something or DuckDB cannot tell names apart
 */
export function sourceOf(table: string, file: LocalFile, field: ShapeField): ShapeField | undefined {
  const found = file.footer.fields.find(({ id }) => id === field.id);
  const refuse: Refuse = (why) => {
    throw refused(
      'file-schema',
      `Column ${field.name} in data file ${file.location} of ${table} ${why}`,
      'Rewrite the file with the engine that wrote it',
      { table, file: file.location, column: field.name },
    );
  };
  if (found === undefined) return undefined;
  const source = aligned(found, field, refuse);
  return file.footer.byName === true ? { ...source, shape: native(source.shape) } : source;
}

/** Files without field ids are read by name, with the types that DuckDB gives them; numbers are cast afterwards. */
function native(shape: Shape): Shape {
  const inside = (field: ShapeField): ShapeField => ({ ...field, shape: native(field.shape) });
  switch (shape.kind) {
    case 'leaf':
      return shape.sql === 'VARCHAR' || shape.sql === 'BLOB' ? shape : { kind: 'leaf', sql: 'NATIVE' };
    case 'struct':
      return { kind: 'struct', fields: shape.fields.map(inside) };
    case 'list':
      return { kind: 'list', element: inside(shape.element) };
    case 'map':
      return { kind: 'map', key: inside(shape.key), value: inside(shape.value) };
  }
}

function aligned(found: FileField, field: ShapeField, refuse: Refuse): ShapeField {
  return { id: field.id, name: found.name, shape: alignedShape(found, field.shape, refuse) };
}

function alignedShape({ type }: FileField, shape: Shape, refuse: Refuse): Shape {
  if (type.kind === 'leaf' && shape.kind === 'leaf') {
    const sql = shape.sql!;
    const source = sql === 'VARCHAR' || sql === 'BLOB' ? (textOrBytes(type) ?? sql) : sql;
    return readsAs(type, source)
      ? { kind: 'leaf', sql: source }
      : refuse(`cannot be read as ${sql} without loss`);
  }
  if (type.kind === 'list' && shape.kind === 'list') {
    return { kind: 'list', element: aligned(type.element, shape.element, refuse) };
  }
  if (type.kind === 'map' && shape.kind === 'map') {
    return {
      kind: 'map',
      key: aligned(type.key, shape.key, refuse),
      value: aligned(type.value, shape.value, refuse),
    };
  }
  if (type.kind === 'struct' && shape.kind === 'struct')
    return alignedStruct(type.fields, shape.fields, refuse);
  return refuse(`is a ${type.kind}, and the table says ${shape.kind}`);
}

/** Text that is not marked as such reads as bytes, and becomes text by decoding it. */
function textOrBytes({ bytes, decimal }: FileLeaf): string | null {
  if (bytes === null || decimal !== null) return null;
  return bytes === 'text' ? 'VARCHAR' : 'BLOB';
}

function alignedStruct(found: readonly FileField[], wanted: readonly ShapeField[], refuse: Refuse): Shape {
  const names = new Set(found.map(({ name }) => name.toLowerCase()));
  if (names.size < found.length) refuse('has fields whose names differ only in case');
  const shared = found.flatMap((inner) => {
    const field = wanted.find(({ id }) => id === inner.id);
    return field === undefined ? [] : [aligned(inner, field, refuse)];
  });
  if (shared.length > 0) return { kind: 'struct', fields: shared };
  // No field is left, but whether the struct itself is null must still be read: through one of the old fields.
  const old = found.find(({ type }) => type.kind === 'leaf');
  if (old === undefined) return refuse('has none of its fields left');
  const shape = { kind: 'leaf', sql: 'VARCHAR' } as const;
  return { kind: 'struct', fields: [{ id: old.id ?? -1, name: old.name, shape }] };
}
