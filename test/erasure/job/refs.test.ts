import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EraseOptions, erase, isClean } from '../../../src/erasure/index.ts';
import { parseJson, stringifyJson } from '../../../src/values/json.ts';
import { type Lake, makeLake, PERSON, ROWS_LEFT, rowsOf } from './lake.ts';

const TABLE = 'crm.learners';
let dir: string;
let lake: Lake;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-refs-'));
  lake = await makeLake(dir);
  await tag('q1');
});

afterEach(async () => {
  await lake.warehouse.close();
  await rm(dir, { recursive: true, force: true });
});

/** Puts a tag on the table as it is, as another engine would. */
async function tag(name: string): Promise<void> {
  const { currentSnapshotId } = await lake.warehouse.describe(TABLE);
  const folder = join(dir, 'warehouse', 'crm', 'learners', 'metadata');
  const hint = (await readFile(join(folder, 'version-hint.text'), 'utf8')).trim();
  const file = join(folder, `v${hint}.metadata.json`);
  const document = parseJson(await readFile(file, 'utf8')) as Record<string, object>;
  const refs = { ...document.refs, [name]: { 'snapshot-id': currentSnapshotId, type: 'tag' } };
  await writeFile(file, stringifyJson({ ...document, refs }));
}

function options(drop: readonly string[]): EraseOptions {
  const { warehouse, governance, plan, register, jobs, folders } = lake;
  const decision = {
    ...{ table: TABLE, answers: [], action: 'ignore' as const, by: [], columns: [] },
    ...{ refs: new Map(drop.map((ref) => [ref, 'drop' as const])), reason: 'copies of the day' },
    ...{ decidedBy: 'platform', at: { file: 't', line: 1, column: 1 } },
  };
  return {
    ...{ warehouse, governance: { ...governance, decisions: new Map([[TABLE, [decision]]]) } },
    ...{ register, jobs, ...folders, plan },
    ...{ subject: 'learner', ids: [PERSON.id], request: 'erasure-0001', day: '2026-10-01' },
  } as EraseOptions;
}

test('E2: a tag refuses the job until a decision drops it, and each of several by its name', async () => {
  await tag('q2');
  const refusal = await erase(options(['q1'])).catch((error) => error);
  expect(refusal.tables).toMatchObject([{ table: TABLE, code: 'branch-or-tag' }]);
  expect(refusal.tables[0].reason).toContain('q2');
  expect((await lake.warehouse.describe(TABLE)).refs.map(({ name }) => name)).toEqual(['main', 'q1', 'q2']);
});

test('E1: a decided tag is dropped with the snapshot that it kept', async () => {
  const evidence = await erase(options(['q1', 'never-there']));
  expect(isClean(evidence)).toBe(true);
  expect(await rowsOf(lake.warehouse)).toEqual(ROWS_LEFT);
  const { refs, snapshots } = await lake.warehouse.describe(TABLE);
  expect(refs.map(({ name }) => name)).toEqual(['main']);
  expect(snapshots).toHaveLength(1);
});
