import { describe, expect, test } from 'vitest';
import { planErasure } from '../../../src/erasure/plan/index.ts';
import { parseGovernance } from '../../../src/governance/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import { type JobRun, runEvents } from '../../support/openlineage.ts';
import { DELETE, keyed, PEOPLE, SOURCES, step } from './people.ts';
import { planOf, tablesOf, told } from './support.ts';

const governance = parseGovernance({
  'retention.toml':
    '[erasure.subjects.person]\nid_type = "long"\nid_columns = ["person_id"]\nidentifying = []\n',
});

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

describe('L2b: a table that only failed runs would have made', () => {
  const failed: JobRun = { ...keyed, output: 'mart.never', states: ['START', 'FAIL'] };
  /** The events of a run that names its output in a catalog, as Spark does. */
  const inCatalog = (run: JobRun): readonly unknown[] =>
    runEvents(run).map(({ outputs, ...event }) => ({
      ...event,
      outputs: (outputs as { name: string; facets?: object }[]).map((output) => ({
        ...output,
        facets: {
          ...output.facets,
          symlinks: { identifiers: [{ namespace: 'file:/lake', name: output.name, type: 'TABLE' }] },
        },
      })),
    }));
  const gaps = async (...events: (readonly unknown[])[]): Promise<readonly string[]> => {
    const lineage = await readLineage({ from: [[...runEvents(keyed), ...events.flat()]] });
    const tables = tablesOf({ ...PEOPLE, 'mart.t': 'k name:string' });
    return planErasure({ governance, lineage, tables, subject: 'person' }).unmapped.map(({ name }) => name);
  };

  test('is no gap where a catalog would have made it whole or not at all', async () => {
    expect(await gaps(inCatalog(failed))).toEqual([]);
  });

  test.each<[string, readonly (readonly unknown[])[]]>([
    [
      'one of them ended',
      [inCatalog(failed), inCatalog({ ...failed, states: ['START', 'COMPLETE'], at: 1, runId: 'b' })],
    ],
    [
      'somebody read it',
      [
        inCatalog(failed),
        runEvents({ job: 'reads', output: 'mart.t', columns: { name: ['mart.never.name'] } }),
      ],
    ],
    ['it is a database’s, which may keep a part', [runEvents(failed)]],
  ])('is one where %s', async (_, events) => {
    expect(await gaps(...events)).toEqual(['mart.never']);
  });
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
  const tables = tablesOf({ ...PEOPLE, 'mart.t': 'k name:string' });
  const { steps } = planErasure({ governance, lineage, tables, subject: 'person' });
  expect(steps.map(({ table }) => table)).toContain('mart.t');
});
