import type { Write } from '../lineage.ts';
import type { Part } from './statements.ts';

/** What the runs of one statement say together, but for what they read and wrote. */
export interface Facts {
  /** A facet speaks of the columns. */
  readonly spoken: boolean;
  /** A facet lists all inputs by itself. */
  readonly closed: boolean;
  /** A producer said that it could not extract everything. */
  readonly incomplete: boolean;
  /** Changes rows in place (rule L1f). */
  readonly rowLevel: boolean;
  readonly onlyDeletes: boolean;
  /** It creates, drops or changes a table and writes no rows, as far as anything says. */
  readonly changesTableOnly: boolean;
  readonly replaces: Write['replaces'];
  readonly ended: Write['ended'];
  /** A run lists its inputs, or its producer names none of its own accord. */
  readonly listsInputs: boolean;
  /** Of the producers, as {@link Producer} has it. */
  readonly hidesDirect: boolean;
  readonly namesEveryInput: boolean;
  readonly parsed: boolean;
  readonly marksDroppedRows: boolean;
  /** The texts of the statement. */
  readonly texts: readonly string[];
}

const DDL: ReadonlySet<string> = new Set(['ALTER', 'CREATE', 'DROP', 'RENAME', 'TRUNCATE']);

/** Looks once at each run: this is asked for every statement of a long history. */
export function factsOf(parts: readonly Part[]): Facts {
  let [spoken, closed, incomplete, rowLevel, onlyDeletes] = [false, false, false, false, true];
  let [wroteRows, ddl, failed, completed, listsInputs] = [false, false, false, false, false];
  let [wrapper, part, all] = [false, false, false];
  let [hidesDirect, namesEveryInput, parsed, marksDroppedRows] = [false, false, false, false];
  const texts: string[] = [];
  for (const { run, output } of parts) {
    const { producer, sql } = run;
    const { statement, lifecycle } = output;
    spoken ||= output.spoken;
    closed ||= output.closed;
    incomplete ||= run.incomplete;
    rowLevel ||= statement.rowLevel;
    onlyDeletes &&= statement.onlyDeletes;
    wroteRows ||= statement.wrapper || output.statistics;
    for (const change of lifecycle) ddl ||= DDL.has(change);
    failed ||= run.failed;
    completed ||= run.completed;
    listsInputs ||= !producer.namesEveryInput || run.inputs.numbers.length > 0;
    wrapper ||= statement.wrapper;
    part ||= statement.replaces === 'part';
    all ||= statement.replaces === 'all';
    hidesDirect ||= producer.hidesDirect;
    namesEveryInput ||= producer.namesEveryInput;
    parsed ||= producer.parsesSelect;
    marksDroppedRows ||= producer.marksDroppedRows;
    if (sql !== null && !texts.includes(sql)) texts.push(sql);
  }
  return {
    spoken,
    closed,
    incomplete,
    rowLevel,
    onlyDeletes,
    changesTableOnly: ddl && !wroteRows,
    replaces: wrapper ? 'all' : part ? 'part' : all ? 'all' : 'unknown',
    ended: failed ? 'failed' : completed ? 'complete' : 'open',
    listsInputs,
    hidesDirect,
    namesEveryInput,
    parsed,
    marksDroppedRows,
    texts,
  };
}

/** The numbers of the edge sets, ascending. */
export function setsOf(parts: readonly Part[]): readonly number[] {
  if (parts.length === 1) return parts[0]!.output.sets.numbers;
  const all = new Set<number>();
  for (const { output } of parts) for (const set of output.sets.numbers) all.add(set);
  return ascending(all);
}

/** The tables that were read, ascending. */
export function inputsOf(parts: readonly Part[], tableOf: Int32Array): readonly number[] {
  const tables = new Set<number>();
  for (const { run, output } of parts) {
    for (const dataset of output.inputs.numbers) tables.add(tableOf[dataset]!);
    if (!output.closed) for (const dataset of run.inputs.numbers) tables.add(tableOf[dataset]!);
  }
  return ascending(tables);
}

/** The tables that one event names twice, ascending. */
export function repeatedIn(parts: readonly Part[], tableOf: Int32Array): readonly number[] {
  const tables = new Set<number>();
  for (const { run } of parts) for (const dataset of run.repeated.numbers) tables.add(tableOf[dataset]!);
  return ascending(tables);
}

function ascending(numbers: ReadonlySet<number>): readonly number[] {
  return [...numbers].sort((a, b) => a - b);
}
