import type { EdgeSet } from '../collect/edge-sets.ts';
import { TextTable } from '../collect/text-table.ts';
import type { EventPlace, Write } from '../lineage.ts';
import { applicationOf } from '../producers.ts';
import { ROLE, VALUE } from '../roles.ts';
import type { EdgeUnion } from './edge-union.ts';
import type { Part, Statement } from './statements.ts';
import type { TableIndex } from './table-index.ts';

/** What a statement is known to have done, without when: a job's daily runs mostly say the same. */
export interface Said {
  readonly write: Omit<Write, 'runs' | 'firstSeen' | 'firstAt' | 'lastRun' | 'lastSeen' | 'lastAt'>;
  readonly tableIndex: number;
  /** Equal for all that say the same. */
  readonly key: string;
}

/** A statement, with what its retirement is judged by (rule L3). */
export interface DatedWrite {
  readonly said: Said;
  readonly firstSeen: number | null;
  readonly firstAt: EventPlace | null;
  readonly lastRun: string | null;
  readonly lastSeen: number | null;
  readonly lastAt: EventPlace | null;
}

/** What a write is made from. */
export interface WriteContext {
  readonly index: TableIndex;
  readonly sets: readonly EdgeSet[];
  /** Joins the edges of one write after another. */
  readonly edges: EdgeUnion;
  readonly jobs: readonly { readonly namespace: string; readonly name: string }[];
  /** Columns of a table by its schema facets, by the numbers of their names. */
  schemaOf(table: number): readonly number[];
}

const DDL: ReadonlySet<string> = new Set(['ALTER', 'CREATE', 'DROP', 'RENAME', 'TRUNCATE']);

/** Joins the runs of each statement into one write (rules L1b, L1c, L1f), without those that wrote no rows. */
export function writesOf(statements: readonly Statement[], context: WriteContext): readonly DatedWrite[] {
  const known = new Map<string, Said | null>();
  const texts = new TextTable();
  return statements.flatMap((statement) => {
    const key = contentOf(statement, texts);
    let said = known.get(key);
    if (said === undefined) {
      said = saidBy(statement, context);
      known.set(key, said);
    }
    return said === null ? [] : [datedWrite(said, statement.parts)];
  });
}

/** All that {@link saidBy} looks at, by number: equal for statements that say the same. */
function contentOf({ table, parts }: Statement, texts: TextTable): string {
  let content = String(table);
  for (const { run, output } of parts) {
    const sql = run.sql === null ? -1 : texts.number(run.sql);
    const { rowLevel, onlyDeletes, wrapper, replaces, hasStatistics } = output.statement;
    content += `;${run.job},${run.parentJob},${run.producer.name},${sql},${run.inputs.id},${run.repeated.id}`;
    content += `,${output.sets.id},${output.inputs.id},${output.lifecycle.join()},${replaces}`;
    content += `,${flags(run.completed, run.failed, run.incomplete, output.spoken, output.closed)}`;
    content += `,${flags(output.statistics, rowLevel, onlyDeletes, wrapper, hasStatistics)}`;
  }
  return content;
}

/** Some answers as one number. */
function flags(...answers: readonly boolean[]): number {
  return answers.reduce((number, answer) => number * 2 + Number(answer), 0);
}

function datedWrite(said: Said, parts: readonly Part[]): DatedWrite {
  if (parts.length === 1) {
    const { run, output } = parts[0]!;
    const { start: firstSeen, id: lastRun, end: lastSeen } = run;
    return { said, firstSeen, firstAt: output.at, lastRun, lastSeen, lastAt: output.at };
  }
  const starts = parts.flatMap(({ run }) => (run.start === null ? [] : [run.start]));
  const last = latest(parts);
  return {
    said,
    firstSeen: starts.length === 0 ? null : Math.min(...starts),
    firstAt: parts[0]!.output.at,
    lastRun: last.run.id,
    lastSeen: last.run.end,
    lastAt: last.output.at,
  };
}

/** Null for a statement that wrote no rows. */
function saidBy({ table, parts }: Statement, context: WriteContext): Said | null {
  const { index, sets, edges } = context;
  const setIds = [...new Set(parts.flatMap(({ output }) => output.sets.numbers))].sort((a, b) => a - b);
  edges.begin();
  for (const id of setIds) edges.addSet(sets[id]!);
  const inputs = inputsOf(parts, index.tableOf);
  const spoken = parts.some(({ output }) => output.spoken);
  const lifecycle = new Set(parts.flatMap(({ output }) => output.lifecycle));
  const wroteRows = parts.some(({ output }) => output.statement.wrapper || output.statistics);
  const isDdl = !wroteRows && [...lifecycle].some((change) => DDL.has(change));
  if (isDdl && inputs.size === 0 && edges.size === 0) return null;

  const rowLevel = parts.some(({ output }) => output.statement.rowLevel);
  if (parts.some(({ run }) => run.producer.hidesDirect)) edges.mayHideValues();
  const sources = [...inputs].filter((input) => input !== table || !rowLevel);
  const opaque = new Set<number>();
  if (!spoken || parts.some(({ run }) => run.incomplete)) for (const source of sources) opaque.add(source);
  else if (!parts.some(({ output }) => output.closed)) {
    const roles = edges.rolesByTable();
    const mask = (source: number): number => roles.get(source) ?? 0;
    const silent = sources.filter((source) => (rowLevel ? mask(source) & VALUE : mask(source)) === 0);
    const complete = (): boolean =>
      parts.some(({ run }) => run.producer.namesEveryInput) && covers(edges, table, context);
    if (silent.length > 0 && (rowLevel || !complete())) for (const source of silent) opaque.add(source);
  }
  for (const source of opaque) edges.add(index.wholes[source]!, index.wholes[table]!, ROLE.unknown);
  if (rowLevel && spoken) edges.doubtSelfOnly(table, sources);
  if (rowLevel && !spoken && !parts.every(({ output }) => output.statement.onlyDeletes))
    edges.add(index.wholes[table]!, index.wholes[table]!, ROLE.unknown);

  const runs = parts.map(({ run }) => run);
  const nameOf = (input: number): string => index.tableNames[input]!;
  const repeated = new Set(
    runs.flatMap((run) => run.repeated.numbers.map((dataset) => index.tableOf[dataset]!)),
  );
  const write: Said['write'] = {
    table: nameOf(table),
    job: labelOf(parts, context.jobs),
    inputs: [...inputs].map(nameOf).sort(),
    repeated: [...repeated].map(nameOf).sort(),
    unlisted:
      edges.size > 0 && runs.every((run) => run.producer.namesEveryInput && run.inputs.numbers.length === 0),
    opaque: [...opaque].map(nameOf).sort(),
    rowLevel,
    parsed: runs.some((run) => run.producer.parsesSelect),
    marksDroppedRows: runs.some((run) => run.producer.marksDroppedRows),
    replaces: replacesOf(parts),
    ended: runs.some((run) => run.failed)
      ? 'failed'
      : runs.some((run) => run.completed)
        ? 'complete'
        : 'open',
    edges: edges.toArrays(),
    mentioned: mentionedTwice(
      runs.map((run) => run.sql),
      [...inputs].map(nameOf),
    ),
  };
  return {
    write,
    tableIndex: table,
    key: [
      String(table),
      write.job,
      setIds.join(),
      write.inputs.join('\n'),
      write.repeated.join('\n'),
      write.opaque.join('\n'),
      String(write.unlisted),
      write.mentioned.join('\n'),
      String(rowLevel),
      write.replaces,
      write.ended,
    ].join('\n\n'),
  };
}

function inputsOf(parts: readonly Part[], tableOf: Int32Array): Set<number> {
  const inputs = new Set<number>();
  for (const { run, output } of parts) {
    for (const dataset of output.inputs.numbers) inputs.add(tableOf[dataset]!);
    if (!output.closed) for (const dataset of run.inputs.numbers) inputs.add(tableOf[dataset]!);
  }
  return inputs;
}

/** Whether the edges name every column that schema facets know of the table. */
function covers(edges: EdgeUnion, table: number, { index, schemaOf }: WriteContext): boolean {
  const schema = schemaOf(table);
  if (schema.length === 0) return false;
  const targets = edges.targets();
  return schema.every((name) => {
    const column = index.find(table, name);
    return column !== undefined && targets.has(column);
  });
}

function replacesOf(parts: readonly Part[]): Write['replaces'] {
  const said = parts.map(({ output }) => output.statement);
  if (said.some((statement) => statement.wrapper)) return 'all';
  if (said.some((statement) => statement.replaces === 'part')) return 'part';
  return said.some((statement) => statement.replaces === 'all') ? 'all' : 'unknown';
}

/**
 * The job that runs again to repeat the statement: an engine that names its statements puts the name of the application
 * first, which is also its parent job's.
 */
function labelOf(parts: readonly Part[], jobs: WriteContext['jobs']): string {
  const { namespace, name } = jobs[parts[0]!.run.job]!;
  for (const { run } of parts) {
    const parent = run.parentJob < 0 ? undefined : jobs[run.parentJob];
    if (parent !== undefined && name.startsWith(`${parent.name}.`))
      return `${parent.namespace} ${parent.name}`;
  }
  return `${namespace} ${applicationOf(name) ?? name}`;
}

function latest(parts: readonly Part[]): Part {
  const endOf = ({ run }: Part): number => run.end ?? Number.NEGATIVE_INFINITY;
  return parts.reduce((a, b) => (endOf(b) > endOf(a) ? b : a));
}

/**
 * Inputs that the statement names more than once where a table is read: it may be joined with itself. Text is never parsed,
 * and only ever makes an answer more careful.
 */
function mentionedTwice(texts: readonly (string | null)[], tables: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const sql of new Set(texts)) {
    if (sql === null) continue;
    const text = sql.replace(/["`[\]]/g, '');
    for (const table of tables) if (text.includes(table) && readsOf(text, table) > 1) found.add(table);
  }
  return [...found].sort();
}

function readsOf(text: string, table: string): number {
  const name = table.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return (
    text.match(new RegExp(`(?:\\b(?:from|join|using)|,)\\s+(?:\\w+\\.)*${name}(?![\\w.])`, 'gi'))?.length ?? 0
  );
}
