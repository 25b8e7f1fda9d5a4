import { expect, test } from 'vitest';
import { planErasure } from '../../../src/erasure/plan/index.ts';
import { parseGovernance } from '../../../src/governance/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import { type JobRun, runEvents } from '../../support/openlineage.ts';
import { DELETE, keyed, PEOPLE, SOURCES, step } from './people.ts';
import { planOf, tablesOf, told } from './support.ts';

test('L1d: a column that the table lacks is reported and kept', async () => {
  const run: JobRun = { ...keyed, columns: { ...keyed.columns, ghost: ['crm.people.city'] } };
  const plan = await planOf({
    tables: { ...PEOPLE, 'mart.t': 'k name:string' },
    runs: [run],
    sources: SOURCES,
  });
  expect(told(plan.steps.at(-1))).toBe(DELETE);
  expect(plan.findings).toMatchObject([
    { code: 'unknown-column', table: 'mart.t', what: 'lineage fills ghost, which the table lacks' },
  ]);
});

test('L1g: a column on one side only may come from every source', async () => {
  const producer = 'https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt';
  const run: JobRun = {
    ...keyed,
    producer,
    columns: { k: ['crm.people.person_id'], _0: ['crm.people.city'] },
  };
  expect(await step(run, 'k last')).toBe('review unknown-edge, no-rebuild');
  expect(await step({ ...run, columns: { k: ['crm.people.person_id'] } }, 'k')).toBe(DELETE);
});

test('hazard 30: a column that differs in case alone is the same, by the warehouse’s name', async () => {
  const run: JobRun = { ...keyed, columns: { K: ['crm.people.PERSON_ID'], NAME: ['crm.people.name'] } };
  expect(await step(run, 'k name:string')).toBe(DELETE);
});

test('L2b: what maps to no table, what no job accounts for, and who reads without saying where to', async () => {
  const read: JobRun = { job: 'dashboard.daily', output: 'x.y', inputs: ['crm.people'] };
  const { outputs: __, ...reading } = runEvents(read)[1]!;
  const plan = async (lineageToml: string) => {
    const governance = parseGovernance({
      'retention.toml':
        '[erasure.subjects.person]\nid_type = "long"\nid_columns = ["person_id"]\nidentifying = []\n',
      'lineage.toml': lineageToml,
    });
    const lineage = await readLineage({
      from: [
        [...runEvents(keyed), ...runEvents({ job: 'k', output: 'mart.tt', inputs: ['crm.people'] }), reading],
      ],
      names: governance.names,
    });
    const tables = tablesOf({ ...PEOPLE, 'mart.t': 'k name:string', 'mart.loose': 'x' });
    const { unmapped, unaccounted } = planErasure({ governance, lineage, tables, subject: 'person' });
    return {
      unmapped: unmapped.map(({ name, candidates }) => `${name} (${candidates.join()})`),
      unaccounted: unaccounted.map(({ kind, name }) => `${kind} ${name}`),
    };
  };
  expect(await plan('[sources]\n"crm.*" = "crm"\n"app.*" = "app"\n')).toEqual({
    unmapped: ['mart.tt (mart.t)'],
    unaccounted: ['table mart.loose', 'run dashboard.daily'],
  });
  expect(
    await plan(`
[sources]
"crm.*" = "crm"
"app.*" = "app"
"mart.loose" = "somebody"
[ignored]
"lake mart.tt" = "a test"
[[readers]]
name = "dashboard.*"
reason = "keeps nothing"
`),
  ).toEqual({ unmapped: [], unaccounted: [] });
});

test('L2b: a table that only failed runs would have made is no gap, unless somebody read it', async () => {
  const failed: JobRun = { ...keyed, output: 'mart.never', states: ['START', 'FAIL'] };
  const tables = { ...PEOPLE, 'mart.t': 'k name:string' };
  const gaps = async (...runs: JobRun[]): Promise<readonly string[]> =>
    (await planOf({ tables, runs: [keyed, ...runs], sources: SOURCES })).unmapped.map(({ name }) => name);
  expect(await gaps(failed)).toEqual([]);
  expect(await gaps(failed, { ...failed, states: ['START', 'COMPLETE'], at: 1 })).toEqual(['mart.never']);
  const reader: JobRun = { job: 'reads', output: 'mart.t', columns: { name: ['mart.never.name'] } };
  expect(await gaps(failed, reader)).toEqual(['mart.never']);
});

test('L2b: a model that was a view before it became a table is a table', async () => {
  const dbt = 'https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt';
  const run: JobRun = { ...keyed, producer: dbt };
  const [start, complete] = runEvents({ ...run, states: ['START', 'FAIL'] });
  const facets = { dbt_model: { config: { materialized: 'view' } } };
  const view = { ...start!, outputs: [{ namespace: 'lake', name: 'mart.t', facets }] };
  const lineage = await readLineage({
    from: [[view, complete, ...runEvents({ ...run, at: 1, runId: 'again' })]],
  });
  expect(lineage.tables.find(({ table }) => table === 'mart.t')?.view).toBe(true);
  const governance = parseGovernance({
    'retention.toml':
      '[erasure.subjects.person]\nid_type = "long"\nid_columns = ["person_id"]\nidentifying = []\n',
  });
  const tables = tablesOf({ ...PEOPLE, 'mart.t': 'k name:string' });
  const { steps } = planErasure({ governance, lineage, tables, subject: 'person' });
  expect(steps.map(({ table }) => table)).toContain('mart.t');
});
