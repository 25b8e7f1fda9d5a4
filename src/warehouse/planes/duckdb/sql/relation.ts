import { quoteName, quoteText } from '../../../../predicate/index.ts';
import type { Literal } from '../../../../values/literal.ts';
import { type Footer, isVague } from '../parquet/footer.ts';
import { constantValue } from './constants.ts';
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
  /** The values of columns that it does not hold, by field id, where its partition tells. */
  readonly constants?: ReadonlyMap<number, Literal | null>;
  /** The DuckDB table of `file` and `pos` that lists the rows its delete files hide; left out where none can. */
  readonly hidden?: string;
}

/** The column of a relation that counts the rows of a file from 0, in {@link relation}. */
export const POSITION = 'pos';

/**
 * The rows of files as one relation: `f<id>` for each of `fields` in the table's current shape,
 * `file` (the local path), and `pos`, the row's position there. Rows that are hidden are left out; that costs the
 * rows their order, which is restored where `ordered` asks for it.
 *
 * Columns are found by field id whatever they are called in a file; files that spell a nested column in different ways
 * are read apart and put together.
 */
export function relation(
  table: string,
  files: readonly LocalFile[],
  fields: readonly ShapeField[],
  { ordered = false }: RelationOptions = {},
): string {
  const groups = new Map<string, Group & { paths: string[] }>();
  for (const file of files) {
    const sources = fields.map((field) => sourceOf(table, file, field));
    // Files that must be put in order are read one by one.
    const apart = file.hidden === undefined ? null : ordered ? file.path : file.hidden;
    const absent = fields.map((field, index) =>
      sources[index] === undefined ? absentValue(field, file) : null,
    );
    // By name, DuckDB takes the types of the first file for all of a statement's: files of other types are read apart.
    const byName = file.footer.byName === true ? file.footer.fields : null;
    const names = byName?.map(({ name }) => name) ?? null;
    const vague = fields.map(({ id }) =>
      file.footer.fields.some((found) => found.id === id && isVague(found)),
    );
    const key = JSON.stringify([apart, sources.map((source) => source ?? null), absent, byName, vague]);
    const group = groups.get(key) ?? { paths: [], sources, absent, names, vague, hidden: file.hidden };
    group.paths.push(file.path);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map((group) => visible(group, fields, ordered))
    .map((rows) => `(${rows})`)
    .join(' UNION ALL ');
}

/** What {@link relation} is asked for besides. */
export interface RelationOptions {
  /** In the order of the files, and of the rows in each. */
  readonly ordered?: boolean;
}

/** Files that are read by one statement. */
interface Group {
  readonly paths: readonly string[];
  readonly sources: readonly (ShapeField | undefined)[];
  /** The SQL of fields that the files do not hold. */
  readonly absent: readonly (string | null)[];
  /** The names of all columns, in files that are read by name. */
  readonly names: readonly string[] | null;
  /** Whether the files have statistics of a field by which no row group may be passed over. */
  readonly vague: readonly boolean[];
  readonly hidden: string | undefined;
}

function absentValue(field: ShapeField, { constants }: LocalFile): string {
  const constant = constants?.get(field.id);
  return constant === undefined ? defaultValue(field) : constantValue(field, constant);
}

function visible(group: Group, fields: readonly ShapeField[], ordered: boolean): string {
  const rows = select(group, fields);
  if (group.hidden === undefined) return rows;
  const seen = `SELECT r.* FROM (${rows}) r ANTI JOIN ${group.hidden} h ON r.file = h.file AND r.${POSITION} = h.pos`;
  return ordered ? `SELECT * FROM (${seen}) ORDER BY ${POSITION}` : seen;
}

function select(group: Group, fields: readonly ShapeField[]): string {
  const { paths, sources, absent, names, vague } = group;
  const columns: string[] = [];
  const entries: string[] = [];
  fields.forEach((field, index) => {
    const source = sources[index];
    if (source === undefined) {
      columns.push(`${absent[index]!} AS f${field.id}`);
      return;
    }
    const stored = names === null ? `s${field.id}` : `n${names.indexOf(source.name)}`;
    const value = vague[index] ? opaque(stored) : stored;
    columns.push(`${reshape(value, source.shape, field.shape)} AS f${field.id}`);
    const type = shapeType(source.shape, shapeType(field.shape));
    entries.push(
      `${field.id}: {name: 's${field.id}', type: ${quoteText('duckdb', type)}, default_value: NULL}`,
    );
  });
  const from = names === null ? byId(paths, entries) : byName(paths, names);
  return `SELECT ${[...columns, 'file', `file_row_number AS ${POSITION}`].join(', ')} FROM ${from}`;
}

/** The same value, of which DuckDB asks no statistics. */
function opaque(value: string): string {
  return `list_filter([${value}], lambda x: TRUE)[1]`;
}

/** Columns by field id, renamed to `s<id>`. */
function byId(paths: readonly string[], entries: string[]): string {
  // A schema must not be empty; no file has this id, so it reads nothing.
  if (entries.length === 0) entries.push(`-1: {name: 'nothing', type: 'BOOLEAN', default_value: NULL}`);
  return `read_parquet([${patterns(paths)}], schema = MAP {${entries.join(', ')}}, hive_partitioning = false, filename = 'file')`;
}

/** Columns by their names in the file, renamed to `n<index>`. What tells the file takes a name that none of them has. */
function byName(paths: readonly string[], names: readonly string[]): string {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  let file = 'file';
  while (taken.has(file)) file += '_';
  const columns = names.map((name, index) => `${quoteName('duckdb', name)} AS n${index}`);
  return `(SELECT ${[...columns, `${file} AS file`, 'file_row_number'].join(', ')} FROM read_parquet([${patterns(paths)}], hive_partitioning = false, filename = '${file}'))`;
}

function patterns(paths: readonly string[]): string {
  return paths.map((path) => quoteText('duckdb', pattern(path))).join(', ');
}

/** DuckDB reads a path as a pattern; a character in brackets stands for itself. */
export function pattern(path: string): string {
  return path.replaceAll(/[[*?]/g, '[$&]');
}
