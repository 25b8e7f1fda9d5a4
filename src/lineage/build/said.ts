import type { EdgeSet } from '../collect/edge-sets.ts';
import type { Write } from '../lineage.ts';
import { applicationOf } from '../producers.ts';
import { ROLE, VALUE } from '../roles.ts';
import type { EdgeUnion } from './edge-union.ts';
import { type Facts, factsOf, inputsOf, repeatedIn, setsOf } from './facts.ts';
import { mentionedTwice } from './mentioned.ts';
import type { Part, Statement } from './statements.ts';
import type { TableIndex } from './table-index.ts';

/** What a statement is known to have done, without when: a job's daily runs mostly say the same. */
export interface Said {
  /** Without when: that is filled in where runs are joined. */
  readonly write: Write;
  readonly tableIndex: number;
  /** Equal for all that say the same. */
  readonly key: string;
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

/** What the runs of one statement say together (rules L1b, L1c and L1f); null for a statement that wrote no rows. */
export function saidBy({ table, parts }: Statement, context: WriteContext): Said | null {
  const { index, edges } = context;
  const facts = factsOf(parts);
  const setIds = setsOf(parts);
  edges.begin();
  for (const id of setIds) edges.addSet(context.sets[id]!);
  const inputs = inputsOf(parts, index.tableOf);
  if (facts.changesTableOnly && inputs.length === 0 && edges.size === 0) return null;
  if (facts.hidesDirect) edges.mayHideValues();
  const opaque = opaqueInputs({ table, inputs, facts, context });
  addUnknown({ table, inputs, opaque, facts, context });

  const names = namesOf(inputs, index);
  const write: Write = {
    table: index.tableNames[table]!,
    job: labelOf(parts, context.jobs),
    inputs: names,
    repeated: namesOf(repeatedIn(parts, index.tableOf), index),
    unlisted: edges.size > 0 && !facts.listsInputs,
    opaque: namesOf(opaque, index),
    rowLevel: facts.rowLevel,
    parsed: facts.parsed,
    marksDroppedRows: facts.marksDroppedRows,
    replaces: facts.replaces,
    ended: facts.ended,
    edges: edges.toArrays(),
    mentioned: facts.texts.length === 0 ? [] : mentionedTwice(facts.texts, names),
    // Named here, because an object of so many fields that gets more of them is slow from then on.
    runs: 0,
    firstSeen: null,
    firstAt: null,
    lastRun: null,
    lastSeen: null,
    lastAt: null,
  };
  return { write, tableIndex: table, key: keyOf(write, setIds) };
}

interface OpaqueInputs {
  readonly table: number;
  readonly inputs: readonly number[];
  readonly facts: Facts;
  readonly context: WriteContext;
}

/** Rows that are changed in place do not come in once more. */
function sourcesOf({ table, inputs, facts }: OpaqueInputs): readonly number[] {
  return facts.rowLevel ? inputs.filter((input) => input !== table) : inputs;
}

/** Inputs that may have given anything: no facet speaks of them (rules L1c and L1f). */
function opaqueInputs(given: OpaqueInputs): readonly number[] {
  const { table, facts, context } = given;
  const sources = sourcesOf(given);
  if (!facts.spoken || facts.incomplete) return sources;
  if (facts.closed) return [];
  const roles = context.edges.rolesByTable();
  const wanted = facts.rowLevel ? VALUE : ~0;
  const silent = sources.filter((source) => ((roles.get(source) ?? 0) & wanted) === 0);
  if (silent.length === 0) return silent;
  const isComplete = !facts.rowLevel && facts.namesEveryInput && covers(table, context);
  return isComplete ? [] : silent;
}

/** Adds the edges for what no facet says. */
function addUnknown({ opaque, ...given }: OpaqueInputs & { readonly opaque: readonly number[] }): void {
  const { table, facts, context } = given;
  const { edges, index } = context;
  const whole = index.wholes[table]!;
  for (const source of opaque) edges.add(index.wholes[source]!, whole, ROLE.unknown);
  if (!facts.rowLevel) return;
  if (facts.spoken) edges.doubtSelfOnly(table, sourcesOf(given));
  else if (!facts.onlyDeletes) edges.add(whole, whole, ROLE.unknown);
}

/** Whether the edges name every column that schema facets know of the table. */
function covers(table: number, { edges, index, schemaOf }: WriteContext): boolean {
  const schema = schemaOf(table);
  if (schema.length === 0) return false;
  const targets = edges.targets();
  return schema.every((name) => {
    const column = index.find(table, name);
    return column !== undefined && targets.has(column);
  });
}

/** Tables are numbered in the order of their names. */
function namesOf(tables: readonly number[], { tableNames }: TableIndex): readonly string[] {
  return tables.map((table) => tableNames[table]!);
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

function keyOf(write: Write, setIds: readonly number[]): string {
  return [
    write.table,
    write.job,
    setIds.join(),
    write.inputs.join('\n'),
    write.repeated.join('\n'),
    write.opaque.join('\n'),
    String(write.unlisted),
    write.mentioned.join('\n'),
    String(write.rowLevel),
    write.replaces,
    write.ended,
  ].join('\n\n');
}
