import { quoteText } from '../../../../predicate/index.ts';
import type { Footer } from '../parquet/footer.ts';
import { defaultValue } from './default-value.ts';
import { reshape } from './reshape.ts';
import { type ShapeField, shapeType } from './shape.ts';
import { sourceOf } from './source.ts';

/** A data file whose bytes are at hand. */
export interface LocalFile {
  /** As metadata names it, for messages. */
  readonly location: string;
  readonly path: string;
  readonly footer: Footer;
}

/**
 * The rows of files as one relation, in file and row order: `f<id>` for each of `fields` in the table's current shape, and
 * `file` (the local path).
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
  const from = `read_parquet([${paths.map((path) => quoteText('duckdb', pattern(path))).join(', ')}], schema = MAP {${entries.join(', ')}}, hive_partitioning = false, filename = 'file')`;
  return `SELECT ${[...columns, 'file'].join(', ')} FROM ${from}`;
}

/** DuckDB reads a path as a pattern; a character in brackets stands for itself. */
function pattern(path: string): string {
  return path.replaceAll(/[[*?]/g, '[$&]');
}
