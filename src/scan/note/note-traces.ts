import type { BoundPlan, BoundStep } from '../../erasure/bound-plan.ts';
import type { StepRefusal } from '../../erasure/refusal.ts';
import { InputError } from '../../errors.ts';
import type { Governance, QualifiedColumn } from '../../governance/governance.ts';
import type { Predicate } from '../../predicate/predicate.ts';
import type { Literal } from '../../values/literal.ts';
import { describeAll } from '../../warehouse/describe-all.ts';
import type { TableDescription, Warehouse } from '../../warehouse/warehouse.ts';
import { makeTraces } from '../make-traces.ts';
import { singleValueForms } from '../sketch/single-value-forms.ts';
import { sketchHash } from '../sketch/theta.ts';
import type { HashTrace, IdTrace, TextTrace, Traces } from '../traces.ts';
import { idTraces } from './id-traces.ts';
import { findShared, type Shared, type Sought } from './others.ts';
import { clearedColumns, type OthersOptions, othersColumns } from './others-columns.ts';
import { traceText } from './trace-text.ts';
import { shortBounds, smallestTruncation, tooShort } from './truncation.ts';

export interface NoteOptions {
  readonly bound: BoundPlan;
  readonly governance: Governance;
  readonly warehouse: Pick<Warehouse, 'list' | 'describe' | 'distinct'>;
}

/** A value of the person in one column. */
interface Noted extends QualifiedColumn {
  readonly literal: Literal;
}

/**
 * Notes what the scan will look for, before anything is deleted (rules S1 to S3): the identifying values of the person's rows, the
 * values of columns that will be cleared, and every id.
 *
 * @throws RefusedError `scan/bounds-too-short` where the bounds of such a column are cut to fewer than 8 characters
 * @throws InputError `scan/unknown-subject` for a plan of a kind of subject that the governance files do not declare
 */
export async function noteTraces(options: NoteOptions): Promise<Traces> {
  const { traces, refusals } = await tryNoteTraces(options);
  if (refusals.length > 0) throw tooShort(refusals);
  return traces;
}

/**
 * The same for who gathers all that stands in the way: instead of the error `scan/bounds-too-short` it gives a refusal for each such
 * column, beside traces that are at least 7 characters long.
 *
 * @throws InputError `scan/unknown-subject`
 */
export async function tryNoteTraces({
  bound,
  governance,
  warehouse,
}: NoteOptions): Promise<{ readonly traces: Traces; readonly refusals: readonly StepRefusal[] }> {
  const subject = governance.subjects.get(bound.plan.subject);
  if (subject === undefined) throw unknownSubject(bound.plan.subject);
  const tables = await describeAll(warehouse);
  const columns = soughtColumns({ bound, identifying: subject.identifying, tables });
  const kept = smallestTruncation(tables);
  const noted = await valuesOf(columns, bound, warehouse);
  const texts = noted.flatMap(({ literal }) => textOf(literal, kept));
  const literals = noted.map(({ literal }) => literal);
  const shared = await sharedWithOthers({ noted, kept, bound, governance, tables, warehouse });
  const traces = makeTraces({
    subject: subject.name,
    texts: sharedTexts(texts, shared),
    ids: [...idTraces(bound, governance, subject), ...typedTraces(noted, shared)],
    hashes: hashesOf(literals, shared),
  });
  return { traces, refusals: shortBounds(tables, columns) };
}

/** Columns that exist, in tables where the plan can tell the person's rows. */
function soughtColumns(options: {
  readonly bound: BoundPlan;
  readonly identifying: readonly QualifiedColumn[];
  readonly tables: readonly TableDescription[];
}): readonly QualifiedColumn[] {
  const { bound, identifying, tables } = options;
  const known = new Map(
    [...identifying, ...clearedColumns(bound)]
      .filter((sought) => hasColumn(tables, sought))
      .map((sought) => [JSON.stringify([sought.table, sought.column]), sought]),
  );
  return [...known.values()];
}

function hasColumn(tables: readonly TableDescription[], { table, column }: QualifiedColumn): boolean {
  const description = tables.find((other) => other.table === table);
  return description?.columns.some(({ name }) => name === column) ?? false;
}

async function valuesOf(
  columns: readonly QualifiedColumn[],
  bound: BoundPlan,
  warehouse: NoteOptions['warehouse'],
): Promise<readonly Noted[]> {
  const noted: Noted[] = [];
  for (const each of bound.steps)
    for (const { names, where } of readings(each, columns)) {
      const { table } = each.step;
      // Former values stand in old bounds and in copies, and a row that was deleted before has no others.
      for await (const tuple of warehouse.distinct(table, names, where, { past: true })) {
        tuple.forEach((literal, index) => {
          if (literal !== null && literal.type !== 'boolean') {
            noted.push({ table, column: names[index]!, literal });
          }
        });
      }
    }
  return noted;
}

/** Which columns of a step's table are read in which rows: those that are cleared beside a delete, in the rows that this is about. */
function readings(
  { step, where, clears }: BoundStep,
  columns: readonly QualifiedColumn[],
): readonly { readonly names: readonly string[]; readonly where: Predicate }[] {
  const isBeside = (name: string): boolean =>
    clears !== undefined && step.clear.some(({ column }) => column === name);
  const names = columns.filter(({ table }) => table === step.table).map(({ column }) => column);
  return [
    { names: names.filter((name) => !isBeside(name)), where: where.reveal() },
    { names: names.filter(isBeside), where: (clears ?? where).reveal() },
  ].filter((reading) => reading.names.length > 0 && reading.where.kind !== 'never');
}

/** Asks about identifying columns for every value, and about a cleared column for the values that came out of it. */
async function sharedWithOthers({
  noted,
  kept,
  warehouse,
  ...known
}: OthersOptions & {
  readonly noted: readonly Noted[];
  readonly kept: number;
  readonly warehouse: NoteOptions['warehouse'];
}): Promise<Shared> {
  const sought = (values: readonly Noted[]): Sought => ({
    texts: values.flatMap(({ literal }) => textOf(literal, kept)),
    literals: values.map(({ literal }) => literal),
  });
  const identifying = [...known.governance.subjects.values()].flatMap((subject) => subject.identifying);
  const found = [await findShared(warehouse, othersColumns(identifying, known), sought(noted))];
  for (const cleared of clearedColumns(known.bound)) {
    const theirs = noted.filter(({ table, column }) => table === cleared.table && column === cleared.column);
    found.push(await findShared(warehouse, othersColumns([cleared], known), sought(theirs)));
  }
  return {
    hasText: (text) => found.some((shared) => shared.hasText(text)),
    hasValue: (literal) => found.some((shared) => shared.hasValue(literal)),
  };
}

function textOf(literal: Literal, kept: number): readonly Omit<TextTrace, 'shared'>[] {
  if (literal.type === 'boolean' || literal.type === 'binary') return [];
  const trace = traceText(literal.value, kept);
  return trace === null ? [] : [trace];
}

function sharedTexts(texts: readonly Omit<TextTrace, 'shared'>[], shared: Shared): readonly TextTrace[] {
  const different = new Map(texts.map((trace) => [trace.text, trace]));
  return [...different.values()].map((trace) => ({ ...trace, shared: shared.hasText(trace.text) }));
}

/** A value that is no text is sought typed in its own column. */
function typedTraces(noted: readonly Noted[], shared: Shared): readonly IdTrace[] {
  return noted
    .filter(({ literal }) => literal.type !== 'text')
    .map(({ table, column, literal }) => ({
      table,
      columns: [column],
      values: [[literal]],
      expectedIn: [],
      shared: shared.hasValue(literal),
    }));
}

function hashesOf(literals: readonly Literal[], shared: Shared): readonly HashTrace[] {
  const hashes = new Map<string, boolean>();
  for (const literal of literals) {
    for (const form of singleValueForms(literal)) hashes.set(sketchHash(form), shared.hasValue(literal));
  }
  return [...hashes].map(([hash, isShared]) => ({ hash, shared: isShared }));
}

function unknownSubject(subject: string): InputError {
  return new InputError('scan/unknown-subject', `The governance files declare no subject ${subject}`, {
    remedy: `Declare [erasure.subjects.${subject}] in retention.toml, or make the plan for one that is declared`,
    data: { subject },
  });
}
