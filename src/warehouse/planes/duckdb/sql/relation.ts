import { quoteName, quoteText } from '../../../../predicate/index.ts';
import { refused } from '../errors.ts';
import type { FileField, Footer } from '../parquet/footer.ts';
import { defaultValue } from './default-value.ts';
import { reshape } from './reshape.ts';
import { type Shape, type ShapeField, shapeType } from './shape.ts';

/** A data file whose bytes are at hand. */
export interface LocalFile {
  /** As metadata names it, for messages. */
  readonly location: string;
  readonly path: string;
  readonly footer: Footer;
}

/**
 * The rows of files as one relation, in file and row order: `f<id>` for each of `fields` in the table's current shape,
 * `file` (the local path) and `pos` (the row's place in its file).
 *
 * Columns are found by field id whatever they are called in a file; files that spell a nested column in different ways
 * are read apart and put together.
 */
export function relation(table: string, files: readonly LocalFile[], fields: readonly ShapeField[]): string {
  const groups = new Map<string, { paths: string[]; sources: readonly (ShapeField | undefined)[] }>();
  for (const file of files) {
    const sources = fields.map((field) => sourceOf(table, file, field));
    const key = JSON.stringify(sources.map((source) => source ?? null));
    const group = groups.get(key) ?? { paths: [], sources };
    group.paths.push(file.path);
    groups.set(key, group);
  }
  const selects = [...groups.values()].map(({ paths, sources }) => select(paths, fields, sources));
  return selects.join(' UNION ALL ');
}

function select(
  paths: readonly string[],
  fields: readonly ShapeField[],
  sources: readonly (ShapeField | undefined)[],
): string {
  const columns: string[] = [];
  const entries: string[] = [];
  fields.forEach((field, index) => {
    const source = sources[index];
    if (source === undefined) {
      columns.push(`${defaultValue(field)} AS f${field.id}`);
      return;
    }
    columns.push(`${reshape(`s${field.id}`, source.shape, field.shape)} AS f${field.id}`);
    const type = shapeType(source.shape, shapeType(field.shape));
    entries.push(
      `${field.id}: {name: 's${field.id}', type: ${quoteText('duckdb', type)}, default_value: NULL}`,
    );
  });
  // A schema must not be empty; no file has this id, so it reads nothing.
  if (entries.length === 0) entries.push(`-1: {name: 'nothing', type: 'BOOLEAN', default_value: NULL}`);
  const from = `read_parquet([${paths.map((path) => quoteText('duckdb', pattern(path))).join(', ')}], schema = MAP {${entries.join(', ')}}, hive_partitioning = false, filename = true, file_row_number = true)`;
  return `SELECT ${[...columns, 'filename AS file', 'file_row_number AS pos'].join(', ')} FROM ${from}`;
}

/** DuckDB reads a path as a pattern; a character in brackets stands for itself. */
function pattern(path: string): string {
  return path.replaceAll(/[[*?]/g, '[$&]');
}

/** How a file spells one of the table's columns; undefined where the file was written without it. */
function sourceOf(table: string, file: LocalFile, field: ShapeField): ShapeField | undefined {
  const found = file.footer.fields.find(({ id }) => id === field.id);
  return found === undefined ? undefined : aligned(found, field, () => spelledTwice(table, file, field));
}

/** The file's own names and structure, with the table's leaf types where the file's can be read as these. */
function aligned(found: FileField, field: ShapeField, spelledTwice: () => never): ShapeField {
  return { id: field.id, name: found.name, shape: alignedShape(found, field.shape, spelledTwice) };
}

function alignedShape(found: FileField, shape: Shape, spelledTwice: () => never): Shape {
  const { type } = found;
  if (type.kind === 'leaf' && shape.kind === 'leaf') {
    if (type.bytes === null || !textOrBytes(shape)) return shape;
    return { kind: 'leaf', sql: type.bytes === 'text' ? 'VARCHAR' : 'BLOB' };
  }
  if (type.kind === 'list' && shape.kind === 'list') {
    return { kind: 'list', element: aligned(type.element, shape.element, spelledTwice) };
  }
  if (type.kind === 'map' && shape.kind === 'map') {
    const [key, value] = [
      aligned(type.key, shape.key, spelledTwice),
      aligned(type.value, shape.value, spelledTwice),
    ];
    return { kind: 'map', key, value };
  }
  if (type.kind !== 'struct' || shape.kind !== 'struct') return spelledTwice();
  const names = new Set(type.fields.map(({ name }) => name.toLowerCase()));
  if (names.size < type.fields.length) spelledTwice();
  const shared = type.fields.flatMap((inner) => {
    const wanted = shape.fields.find(({ id }) => id === inner.id);
    return wanted === undefined ? [] : [aligned(inner, wanted, spelledTwice)];
  });
  if (shared.length > 0) return { kind: 'struct', fields: shared };
  // No field is left, but whether the struct itself is null must still be read: through one of the old fields.
  const old = type.fields.find((inner) => inner.type.kind === 'leaf');
  if (old === undefined) return spelledTwice();
  return {
    kind: 'struct',
    fields: [{ id: old.id ?? -1, name: old.name, shape: { kind: 'leaf', sql: 'VARCHAR' } }],
  };
}

function textOrBytes(shape: Shape & { readonly kind: 'leaf' }): boolean {
  return shape.sql === 'VARCHAR' || shape.sql === 'BLOB';
}

function spelledTwice(table: string, { location }: LocalFile, field: ShapeField): never {
  throw refused(
    'nested-schema',
    `Data file ${location} of ${table} spells column ${quoteName('duckdb', field.name)} in a way that DuckDB cannot read`,
    'Rewrite the file with the engine that wrote it',
    { table, file: location, column: field.name },
  );
}
