import { expect, test } from 'vitest';
import { planRefusals } from '../../../src/erasure/job/check-plan.ts';
import { planErasure, planText } from '../../../src/erasure/plan/index.ts';
import { parseGovernance } from '../../../src/governance/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import { runEvents } from '../../support/openlineage.ts';
import { tablesOf } from './support.ts';

const RETENTION = `
[erasure.subjects.person]
id_type = "long"
id_columns = ["person_id"]
identifying = []
`;
const SOURCES = '[sources]\n"crm.*" = "a test"\n';

async function planned(broken: string, toml = '') {
  const governance = parseGovernance({ 'retention.toml': RETENTION, 'lineage.toml': `${SOURCES}${toml}` });
  const run = { job: 'j', output: 'mart.t', columns: { person_id: ['crm.people.person_id'] } };
  const text = [...runEvents(run).map((event) => JSON.stringify(event)), broken].join('\n');
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  };
  const lineage = await readLineage({
    from: [{ name: '/lineage/spark-03.ndjson', bytes: bytes() }],
    names: governance.names,
  });
  const tables = tablesOf({ 'crm.people': 'person_id', 'mart.t': 'person_id' });
  const plan = planErasure({ governance, lineage, tables, subject: 'person' });
  const codes = planRefusals({ plan, governance, jobs: {}, day: '2026-10-01' }).map(({ code }) => code);
  return { plan, codes, first: planText(plan).split('\n')[0]! };
}

const CUT = '{"eventTime": "2026-09-01T00:00:00Z", "job": {"na';
const gap = (skipped: number): string =>
  `[[gaps]]\nfile = "spark-03.ndjson"\nskipped = ${skipped}\nreason = "a full disk; run again"\ndecided_by = "DPO"\n`;

test('L2b: a plan made from events that could not all be read says so first, and the job refuses it', async () => {
  const { plan, codes, first } = await planned(CUT);
  expect(first).toMatch(/^Not ready: made from incomplete lineage/);
  expect(plan.findings).toMatchObject([{ code: 'events-skipped', at: { file: 'spark-03.ndjson', line: 3 } }]);
  expect(codes).toEqual(['events-skipped']);
});

test('L2b: a declared gap lets the plan through, and stands in it with who declared it', async () => {
  const { plan, codes, first } = await planned(CUT, gap(1));
  expect(first).toMatch(/^Erasure of a person/);
  expect(plan.findings).toMatchObject([{ code: 'gap-declared', at: { file: 'lineage.toml' } }]);
  expect(plan.findings[0]!.what).toContain('a full disk; run again (DPO)');
  expect(codes).toEqual([]);
});

test('L2b: a gap that grew is refused again, and one that is none is told', async () => {
  const two = await planned(`{"job": 7}\n${CUT}`, gap(1));
  expect(two.plan.findings.map(({ code }) => code)).toEqual(['events-skipped', 'gap-outgrown']);
  expect(two.codes).toEqual(['events-skipped']);
  const none = await planned('', gap(1));
  expect(none.plan.findings.map(({ code }) => code)).toEqual(['needless-decision']);
  expect(none.codes).toEqual([]);
});

test('a facet or event of a schema from the future is read as far as it is known, and makes the plan incomplete', async () => {
  const run = '7f3b1f2e-0000-4000-8000-000000000001';
  const { plan, codes } = await planned(
    JSON.stringify({
      schemaURL: 'https://openlineage.io/spec/3-0-0/OpenLineage.json',
      run: { runId: run },
      job: { namespace: 'n', name: 'j' },
    }),
  );
  expect(plan.findings[0]!.what).toMatch(
    new RegExp(`spark-03.ndjson:3, run ${run}: it follows version 3-0-0`),
  );
  expect(codes).toEqual(['events-skipped']);
});

test('L2b: the job refuses a plan in which two datasets became one table by accident', async () => {
  const governance = parseGovernance({ 'retention.toml': RETENTION, 'lineage.toml': SOURCES });
  const event = {
    job: { namespace: 'n', name: 'j' },
    inputs: [{ namespace: 'postgres://a', name: 'app.crm.people' }],
    outputs: [{ namespace: 'hive://ms', name: 'crm.people' }],
  };
  const lineage = await readLineage({ from: [[event]] });
  const plan = planErasure({
    governance,
    lineage,
    tables: tablesOf({ 'crm.people': 'person_id' }),
    subject: 'person',
  });
  expect(planRefusals({ plan, governance, jobs: {}, day: '2026-10-01' })).toMatchObject([
    { table: 'crm.people', code: 'shared-table' },
  ]);
});
