import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Plan, planErasure, type Step } from '../../../src/erasure/plan/index.ts';
import { parseGovernance } from '../../../src/governance/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import { runEvents } from '../../support/openlineage.ts';
import {
  Choices,
  makeStatement,
  type Row,
  SOURCE_COLUMNS,
  type Statement,
  type Store,
  sources,
} from './pipelines.ts';

const PERSON = 2;

const governance = parseGovernance({
  'retention.toml': '[erasure.subjects.person]\nid_type = "long"\nid_columns = ["pid"]\nidentifying = []\n',
  'metadata.toml':
    '[tables."s.people"]\nkey = ["pid"]\n[tables."s.visits"]\nkey = ["vid"]\n[tables."s.tickets"]\nkey = ["tid"]\n',
  'lineage.toml': '[sources]\n"s.*" = "a test"\n',
});

/** A pipeline: two to five statements, each after those that it reads. */
function pipeline(numbers: readonly number[]): readonly Statement[] {
  const choices = new Choices(numbers);
  const tables = new Map(Object.entries(SOURCE_COLUMNS));
  const statements: Statement[] = [];
  const count = 2 + choices.below(4);
  for (let number = 0; number < count; number++) {
    const output = `m.t${number}`;
    const statement = makeStatement(choices, output, tables, choices.below(3) > 0, statements.length);
    statements.push(statement);
    tables.set(output, statement.columns);
  }
  return statements;
}

async function planFor(statements: readonly Statement[]): Promise<Plan> {
  const lineage = await readLineage({ from: [statements.flatMap(({ event }) => runEvents(event))] });
  const store = sources();
  for (const statement of statements) store.set(statement.output, statement.run(store));
  const tables = [
    ...Object.entries(SOURCE_COLUMNS),
    ...statements.map(({ output, columns }) => [output, columns] as const),
  ].map(([table, columns]) => ({
    table,
    columns: columns.map((name) => ({ name, type: typeOf(store.get(table)!, name) })),
  }));
  return planErasure({ governance, lineage, tables, subject: 'person' });
}

/** Numbers and text are told apart, as a warehouse does. */
function typeOf(rows: readonly Row[], column: string): string {
  return rows.every((row) => typeof row[column]!.value !== 'string') ? 'long' : 'string';
}

/** The rows that a step finds, in the state before anything is deleted (rule L7). */
function matched(step: Step, plan: Plan, store: Store): ReadonlySet<Row> {
  const rows = store.get(step.table)!;
  const found = new Set<Row>();
  for (const { columns, values } of step.match) {
    const wanted = new Set<string>();
    if (values.from === 'subject') wanted.add(String(PERSON));
    else {
      const there = plan.steps.find(({ table }) => table === values.table)!;
      for (const row of matched(there, plan, store)) wanted.add(String(row[values.columns[0]!]!.value));
    }
    for (const row of rows) if (wanted.has(String(row[columns[0]!]!.value))) found.add(row);
  }
  return found;
}

const holds = (row: Row): boolean => Object.values(row).some(({ who }) => who.has(PERSON));
const holdsOthers = (row: Row): boolean =>
  Object.values(row).some(({ who }) => [...who].some((one) => one !== PERSON));

interface Outcome {
  readonly problems: readonly string[];
  readonly actions: readonly Step['action'][];
}

async function carryOut(statements: readonly Statement[]): Promise<Outcome> {
  const plan = await planFor(statements);
  const before = sources();
  for (const statement of statements) before.set(statement.output, statement.run(before));
  const after: Store = new Map(before);
  const problems: string[] = [];
  /** Tables that still hold the person because a person has to decide first. */
  const open = new Set<string>();
  for (const step of plan.steps) {
    const statement = statements.find(({ output }) => output === step.table);
    if (step.action === 'delete') {
      const gone = matched(step, plan, before);
      for (const row of gone)
        if (holdsOthers(row)) problems.push(`${step.table}: deleted a row of somebody else`);
      after.set(
        step.table,
        before.get(step.table)!.filter((row) => !gone.has(row)),
      );
      if (after.get(step.table)!.some(holds))
        problems.push(`${step.table}: deleted, and the person is still there`);
    } else if (step.action === 'rebuild') {
      after.set(step.table, statement!.run(after));
      const waits = (statement!.event.inputs ?? []).some((input) => open.has(input));
      if (waits) open.add(step.table);
      else if (after.get(step.table)!.some(holds))
        problems.push(`${step.table}: rebuilt, and the person is still there`);
    } else open.add(step.table);
  }
  for (const [table, rows] of before)
    if (rows.some(holds) && !plan.steps.some((step) => step.table === table))
      problems.push(`${table}: holds the person, and the plan does not know it`);
  const derived = plan.steps.filter(({ table }) => table.startsWith('m.'));
  return { problems, actions: derived.map(({ action }) => action) };
}

test('L5: on thousands of random pipelines nothing of the person is left, and nobody else loses a row', async () => {
  const counts: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(10_000), { minLength: 40, maxLength: 80 }), async (numbers) => {
      const statements = pipeline(numbers);
      const { problems, actions } = await carryOut(statements);
      for (const action of actions) counts[action] = (counts[action] ?? 0) + 1;
      expect(
        problems,
        JSON.stringify(
          statements.map(({ event }) => event),
          null,
          1,
        ),
      ).toEqual([]);
    }),
    {
      seed: 20260930,
      numRuns: 1000,
    },
  );
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect(counts.delete).toBeGreaterThan(total / 4);
  expect(counts.review).toBeLessThan(total / 3);
}, 600_000);
