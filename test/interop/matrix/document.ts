import type { EngineName } from './engine.ts';
import { FEATURES, type FeatureName } from './features.ts';
import { LIMITS } from './limits.ts';
import { PLANS, type Plan, REFUSED } from './plan.ts';

const NAMES: Readonly<Record<EngineName, string>> = {
  pyiceberg: 'PyIceberg 0.12.0',
  spark: 'Spark 4.1.4, Iceberg 1.12.0',
  trino: 'Trino 476',
};
const CATALOGS = {
  rest: 'a REST catalog',
  quiet: 'a REST catalog',
  sql: 'a SQL catalog in Postgres',
  sqlite: 'a SQL catalog in SQLite',
  directory: 'a folder (Spark’s `hadoop` catalog)',
};

/** The matrix of one plan, as Markdown. */
export function matrixTable(plan: Plan): string {
  const { writer, kind, storage, readers, keepers, features } = plan;
  const rows = features.map((feature) => [
    FEATURES[feature].title,
    ...readers.map((reader) => (keepers.includes(reader) ? cell(reader, feature) : 'reads')),
  ]);
  const title = `### ${NAMES[writer]}, through ${CATALOGS[kind]}, files ${storage === 's3' ? 'in S3' : 'on disk'}`;
  return table(title, ['written', ...readers.map((reader) => NAMES[reader])], rows);
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((text, at) => text.padEnd(widths[at]!)).join(' | ')} |`;
  return [title, '', line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''].join(
    '\n',
  );
}

/** The tables of docs/interop.md. */
export function matrixTables(): string {
  return [...Object.values(PLANS).map(matrixTable), refusedTable()].join('\n');
}

/** What {@link REFUSED} says, as Markdown. */
function refusedTable(): string {
  const rows = REFUSED.map(({ writer, feature, code }) => [
    FEATURES[feature].title,
    NAMES[writer],
    `\`${code}\``,
  ]);
  return table('### Refused by name, before anything changes', ['written', 'by', 'refusal'], rows);
}

function cell(reader: EngineName, feature: FeatureName): string {
  const { read, maintain, append } = LIMITS[reader][feature] ?? {};
  const notes = new Set(
    [read, maintain, append].flatMap((limit) => (limit === undefined ? [] : [limit.note])),
  );
  return notes.size === 0 ? '✓' : [...notes].join('; ');
}
