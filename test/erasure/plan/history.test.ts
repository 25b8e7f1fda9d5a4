import { expect, test } from 'vitest';
import { type Plan, planErasure } from '../../../src/erasure/plan/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import { governanceOf } from '../../support/governance-of.ts';
import { type JobRun, runEvents } from '../../support/openlineage.ts';

// What random pipelines found (test/properties/ground-truth), each as small as it could be made.

const names = {
  datasets: [],
  patterns: [],
  sources: new Map([['crm.*', 'the CRM']]),
  ignored: [],
  readers: [],
  gaps: [],
};
const learners = { table: 'crm.learners', columns: [column('learner_id', 'long'), column('email')] };

function column(name: string, type = 'string') {
  return { name, type };
}

async function plan(runs: readonly JobRun[], tables: readonly string[]): Promise<Plan> {
  const lineage = await readLineage({ from: [runs.flatMap(runEvents)] });
  const made = tables.map((table) => ({ table, columns: [column('uid', 'long'), column('email')] }));
  return planErasure({
    governance: governanceOf({ names }),
    lineage,
    tables: [learners, ...made],
    subject: 'learner',
  });
}

function outcome({ steps, unaccounted }: Plan, table: string): string {
  const step = steps.find((candidate) => candidate.table === table);
  const open = unaccounted.some(({ name }) => name === table) ? ' unaccounted' : '';
  return `${step === undefined ? 'absent' : [step.action, step.column, ...step.causes.map(({ code }) => code)].join(' ')}${open}`;
}

const spark = 'https://github.com/OpenLineage/OpenLineage/tree/1.53.0/integration/spark';
const copied = { uid: ['crm.learners.learner_id'], email: ['crm.learners.email'] };
const staged: JobRun = { job: 'stage', output: 'mart.stage', columns: copied, lifecycle: 'CREATE', at: 1 };
const taken = { uid: ['mart.stage.uid'], email: ['mart.stage.email'] };
const made: JobRun = { job: 'make', output: 'mart.made', columns: taken, lifecycle: 'CREATE', at: 2 };

test('L3: what was made from a table before it was dropped is found, by its copied key', async () => {
  const drop: JobRun = { job: 'drop', output: 'mart.stage', inputs: [], lifecycle: 'DROP', at: 3 };
  expect(outcome(await plan([staged, made, drop], ['mart.made']), 'mart.made')).toBe('delete uid');
});

test('L3: so is what was made before an overwrite by something else, and what a table was made of itself', async () => {
  const overwrite: JobRun = {
    job: 'app.overwrite_by_expression.mart_stage',
    output: 'mart.stage',
    columns: { uid: ['crm.shops.shop_id'] },
    lifecycle: 'OVERWRITE',
    producer: spark,
    sql: 'INSERT OVERWRITE mart.stage SELECT shop_id FROM crm.shops',
    statistics: true,
    at: 3,
  };
  const others = await plan([staged, made, overwrite], ['mart.stage', 'mart.made']);
  expect(outcome(others, 'mart.made')).toBe('delete uid');
  const itself = {
    ...overwrite,
    columns: taken,
    inputs: ['mart.stage'],
    sql: 'INSERT OVERWRITE mart.stage SELECT * FROM mart.stage',
  };
  expect(outcome(await plan([staged, itself], ['mart.stage']), 'mart.stage')).toBe('delete uid');
});

test('L3: a job that ran again from a table that was replaced out of its own output still holds what it held', async () => {
  const replace = (job: string, output: string, input: string, at: number): JobRun => ({
    job,
    output,
    columns: { uid: [`${input}.uid`], email: [`${input}.email`] },
    lifecycle: 'CREATE',
    producer: spark,
    at,
  });
  const overwritten = { lifecycle: 'OVERWRITE', statistics: true } as const;
  const runs: JobRun[] = [
    staged,
    replace('make', 'mart.made', 'mart.stage', 2),
    {
      ...replace('app.overwrite_by_expression.mart_stage', 'mart.stage', 'mart.made', 3),
      ...overwritten,
      sql: 'x',
    },
    {
      ...replace('app.overwrite_by_expression.mart_made', 'mart.made', 'mart.stage', 4),
      ...overwritten,
      sql: 'x',
    },
  ];
  const both = await plan(runs, ['mart.stage', 'mart.made']);
  expect(['mart.stage', 'mart.made'].map((table) => outcome(both, table))).toEqual([
    'delete uid',
    'delete uid',
  ]);
});

test('L5d: a keyed copy of rows that are not aligned with their key is not deleted by it', async () => {
  const lagged: JobRun = {
    ...staged,
    columns: {
      uid: ['crm.learners.learner_id'],
      email: [['crm.learners.email', 'TRANSFORMATION', 'WINDOW']],
    },
  };
  const both = await plan([lagged, made], ['mart.stage', 'mart.made']);
  expect(['mart.stage', 'mart.made'].map((table) => outcome(both, table))).toEqual(['rebuild ', 'rebuild ']);
});

test('L1f: an update that changes the key, or says nothing of its columns, leaves no key', async () => {
  const update: JobRun = {
    job: 'app.replace_data.mart_stage',
    output: 'mart.stage',
    columns: { uid: [['mart.stage.uid', 'TRANSFORMATION', 'CONDITIONAL']], email: ['mart.stage.email'] },
    inputs: ['mart.stage'],
    at: 2,
  };
  const silent: JobRun = { job: update.job, output: update.output, inputs: ['mart.stage'], at: 2 };
  expect(outcome(await plan([staged, update], ['mart.stage']), 'mart.stage')).toBe(
    'review uid misaligned no-rebuild',
  );
  expect(outcome(await plan([staged, silent], ['mart.stage']), 'mart.stage')).toBe(
    'review uid unknown-edge no-rebuild',
  );
  const gone = {
    ...silent,
    sql: 'DELETE FROM mart.stage WHERE uid IN (SELECT learner_id FROM crm.learners)',
  };
  expect(outcome(await plan([staged, gone], ['mart.stage']), 'mart.stage')).toBe('delete uid');
});

test('L5d: a table that reads itself is a source of its own', async () => {
  const again: JobRun = {
    job: 'app.append_data.mart_stage',
    output: 'mart.stage',
    columns: { email: ['mart.stage.email'] },
    inputs: ['mart.stage'],
    at: 2,
  };
  expect(outcome(await plan([staged, again], ['mart.stage']), 'mart.stage')).toMatch(
    /^review uid uncovered-source/,
  );
});

test('L2b: a write that names nothing it read leaves its table unaccounted for, whatever others say', async () => {
  const silent: JobRun = { job: 'collect', output: 'mart.stage', inputs: [], at: 2 };
  expect(outcome(await plan([staged, silent], ['mart.stage']), 'mart.stage')).toMatch(/unaccounted$/);
});

test('L2b: so does a MERGE without inputs and columns, also into a table of nobody; a DELETE brings nothing in', async () => {
  const courses: JobRun = { ...staged, columns: { uid: ['learning.courses.course_id'] } };
  const merge: JobRun = { job: 'app.replace_data.lake_mart_stage', output: 'mart.stage', inputs: [], at: 2 };
  expect(outcome(await plan([courses, merge], ['mart.stage']), 'mart.stage')).toBe('absent unaccounted');
  const gone: JobRun = { ...merge, job: 'app.delete_from_table' };
  expect(outcome(await plan([courses, gone], ['mart.stage']), 'mart.stage')).toBe('absent');
});

test('L2b: a table that a job emptied is accounted for; one that was dropped and is there is not', async () => {
  const emptied = (lifecycle: 'TRUNCATE' | 'DROP'): JobRun => ({
    job: 'empty',
    output: 'mart.stage',
    inputs: [],
    lifecycle,
    at: 2,
  });
  expect(outcome(await plan([staged, emptied('TRUNCATE')], ['mart.stage']), 'mart.stage')).toBe('absent');
  expect(outcome(await plan([staged, emptied('DROP')], ['mart.stage']), 'mart.stage')).toBe(
    'absent unaccounted',
  );
});

test('L2b: a run without an output is told of, though another run of its job has one; what that one reads is known', async () => {
  const insert: JobRun = {
    ...staged,
    job: 'app.append_data.lake_mart_stage',
    inputs: ['crm.learners'],
    at: 2,
  };
  const [start, { outputs: _, ...lost }] = runEvents({
    ...insert,
    inputs: ['crm.learners', 'crm.visits'],
    at: 1,
  }) as [object, { outputs: unknown }];
  const reads = async (events: readonly unknown[]) => (await readLineage({ from: [events] })).reads;
  expect(await reads([...runEvents(insert), lost])).toEqual([
    { job: `test ${insert.job}`, inputs: ['crm.visits'] },
  ]);
  expect(await reads([...runEvents(insert), lost, start])).toEqual([]);
});

test('L3: a DROP that failed dropped nothing, though its run completes', async () => {
  const drop: JobRun = { job: 'app.drop_table', output: 'mart.stage', inputs: [], lifecycle: 'DROP', at: 3 };
  const failed = { ...drop, states: ['START', 'FAIL', 'COMPLETE'] };
  const others: JobRun = { ...staged, job: 'other', columns: { uid: ['learning.courses.course_id'] }, at: 4 };
  const tables = ['mart.stage'];
  expect(outcome(await plan([staged, failed, others], tables), 'mart.stage')).toMatch(/^review/);
  expect(outcome(await plan([staged, drop, others], tables), 'mart.stage')).toBe('absent');
});
