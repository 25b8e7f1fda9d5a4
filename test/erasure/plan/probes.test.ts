import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../../../src/cli/system.ts';
import { runProbes } from '../../../src/erasure/plan/index.ts';
import { REVIEW_CAUSES } from '../../../src/governance/answers.ts';
import { localStorage } from '../../../src/storage/index.ts';
import { openIceberg, type Warehouse } from '../../../src/warehouse/index.ts';
import type { JobRun } from '../../support/openlineage.ts';
import { arrow } from '../job/lake.ts';
import { CASES, type Cell, ROWS, SOURCES } from './probe-cases.ts';
import { planOf, tablesOf } from './support.ts';

// Every cause of a review asks the data something. Here the rows stand beside the answer that a person counts in them; the
// embedded store has to count the same, and so has the ready SQL, run by DuckDB.

let dir: string;
let duckdb: DuckDBConnection;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-probes-'));
  duckdb = await (await DuckDBInstance.create(':memory:')).connect();
});
afterAll(async () => {
  duckdb.closeSync();
  await rm(dir, { recursive: true });
});

test.each(CASES)('L5g: the probe of $code counts what a person counts', async (probe) => {
  const tables = { ...SOURCES, 'mart.t': probe.columns };
  const { run, more } = probe;
  const runs = [{ job: 'j', output: 'mart.t', ...run }];
  const plan = await planOf({ tables, runs, sources: Object.keys(SOURCES), ...more });
  const step = plan.steps.find(({ table }) => table === 'mart.t')!;
  expect(step.causes.map(({ code }) => code)).toContain(probe.code);
  const path = join(dir, probe.code);
  const warehouse = await fill(path, { tables, rows: { ...ROWS, 'mart.t': probe.rows } });
  const answers = (await runProbes({ ...plan, steps: [step] }, warehouse)).filter(
    ({ asks }) => asks === probe.asks,
  );
  expect(answers).toMatchObject([{ table: 'mart.t', rows: probe.rows.length, counted: probe.counted }]);
  expect(await bySql(answers[0]!.sql)).toBe(probe.counted);
});

test('L5g: every cause has such a test', () => {
  expect(CASES.map(({ code }) => code).sort()).toEqual([...REVIEW_CAUSES].sort());
});

test('L5g: keys of several columns are compared whole, ids of text as text', async () => {
  const subject = `
[erasure.subjects.person]
id_type = "text"
id_columns = [["tenant", "user"]]
identifying = []
`;
  const tables = {
    'app.a': 'tenant:string user:string',
    'app.b': 'x:string',
    'mart.t': 't:string u:string x:string',
  };
  const rows = {
    'app.a': [
      ['eu', 'ada'],
      ['us', 'ben'],
    ],
    'app.b': [['y']],
    'mart.t': [
      ['eu', 'ada', null],
      ['us', 'ada', null], // counted: both parts are known, the pair is not
      ['eu', null, 'y'], // counted
    ],
  };
  const run: JobRun = {
    job: 'j',
    output: 'mart.t',
    columns: { t: ['app.a.tenant'], u: ['app.a.user'], x: ['app.b.x'] },
  };
  const plan = await planOf({ tables, runs: [run], sources: ['app.*'], subject });
  const warehouse = await fill(join(dir, 'composite'), { tables, rows });
  const [answer] = await runProbes(plan, warehouse);
  expect(answer).toMatchObject({ table: 'mart.t', rows: 3, counted: 2 });
  expect(await bySql(answer!.sql)).toBe(2);
});

test('L5g: a review carries a probe with every name quoted, and no value', async () => {
  const tables = { 'crm.people': 'person_id', 'mart.odd "t"; DROP': 'k"; -- x:string' };
  const runs: JobRun[] = [
    {
      job: 'j',
      output: 'mart.odd "t"; DROP',
      columns: { 'k";': [['crm.people.person_id', 'TRANSFORMATION']] },
    },
  ];
  const plan = await planOf({
    tables: { ...tables, 'mart.odd "t"; DROP': 'k";:string' },
    runs,
    sources: ['crm.*'],
  });
  const review = plan.steps.find(({ action }) => action === 'review')!;
  expect(review.causes.map(({ code }) => code)).toEqual(['cast-key', 'uncovered-source', 'no-rebuild']);
  expect(review.probe[0]!.sql).toBe(
    'SELECT count(*) AS "rows", count(*) FILTER (WHERE CAST("k"";" AS VARCHAR) IN (SELECT CAST("person_id" AS VARCHAR) FROM "crm"."people")) AS "ids" FROM "mart"."odd ""t""; DROP"',
  );
});

/** Makes the tables in an Iceberg warehouse and in DuckDB. */
async function fill(
  path: string,
  {
    tables,
    rows,
  }: {
    tables: Readonly<Record<string, string>>;
    rows: Readonly<Record<string, readonly (readonly Cell[])[]>>;
  },
): Promise<Warehouse> {
  const storage = localStorage({ roots: [path] });
  const warehouse = await openIceberg({ catalog: { kind: 'directory', path }, storage, ...system });
  for (const { table, columns } of tablesOf(tables)) {
    await warehouse.create(table, { columns: columns.map(({ name, type = 'long' }) => ({ name, type })) });
    const [schema] = table.split('.');
    const types = columns.map(({ name, type }) => `"${name}" ${type === 'string' ? 'VARCHAR' : 'BIGINT'}`);
    await duckdb.run(
      `CREATE SCHEMA IF NOT EXISTS ${schema}; CREATE OR REPLACE TABLE ${table} (${types.join(', ')})`,
    );
    const values = rows[table]!.map((row) => `(${row.map(literal).join(', ')})`);
    await duckdb.run(`INSERT INTO ${table} VALUES ${values.join(', ')}`);
    const byColumn = columns.map(({ name }, at) => [name, rows[table]!.map((row) => row[at]!)] as const);
    await warehouse.append(table, arrow(Object.fromEntries(byColumn)));
  }
  return warehouse;
}

function literal(cell: Cell): string {
  return cell === null ? 'NULL' : typeof cell === 'number' ? String(cell) : `'${cell}'`;
}

/** The last column of the only row: what is counted. */
async function bySql(sql: string): Promise<number> {
  const [row] = (await duckdb.runAndReadAll(sql)).getRows();
  return Number(row!.at(-1));
}
