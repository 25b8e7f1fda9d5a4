import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Evidence, erase, isClean } from '../../../src/erasure/index.ts';
import { parseJson, stringifyJson } from '../../../src/values/json.ts';
import { eraseIn, type Lake, PERSON, ROWS_LEFT, requestIn, rowsOf } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const TABLE = 'crm.learners';
const lake = lakeOfEachTest((made) => tag(made, 'q1'));

/** Puts a tag on the table as it is, as another engine would. */
async function tag({ dir, warehouse }: Lake, name: string): Promise<void> {
  const { currentSnapshotId } = await warehouse.describe(TABLE);
  const folder = join(dir, 'warehouse', 'crm', 'learners', 'metadata');
  const hint = (await readFile(join(folder, 'version-hint.text'), 'utf8')).trim();
  const file = join(folder, `v${hint}.metadata.json`);
  const document = parseJson(await readFile(file, 'utf8')) as Record<string, object>;
  const refs = { ...document.refs, [name]: { 'snapshot-id': currentSnapshotId, type: 'tag' } };
  await writeFile(file, stringifyJson({ ...document, refs }));
}

/** Erases the person, as somebody decided to drop these branches and tags. */
function eraseDropping(...refs: readonly string[]): Promise<Evidence> {
  const decision = {
    ...{ table: TABLE, answers: [], action: 'ignore' as const, by: [], columns: [] },
    ...{ refs: new Map(refs.map((ref) => [ref, 'drop' as const])), reason: 'copies of the day' },
    ...{ decidedBy: 'platform', at: { file: 't', line: 1, column: 1 } },
  };
  return eraseIn(lake, { governance: { ...lake.governance, decisions: new Map([[TABLE, [decision]]]) } });
}

test('E2: a tag refuses the job until a decision drops it, and each of several by its name', async () => {
  await tag(lake, 'q2');
  const refusal = await eraseDropping('q1').catch((error) => error);
  expect(refusal.tables).toMatchObject([{ table: TABLE, code: 'branch-or-tag' }]);
  expect(refusal.tables[0].reason).toContain('q2');
  expect((await lake.warehouse.describe(TABLE)).refs.map(({ name }) => name)).toEqual(['main', 'q1', 'q2']);
});

test('E3: a refusal shows a tag that is called after the person by its snapshot, also once the job has begun', async () => {
  const { currentSnapshotId } = await lake.warehouse.describe(TABLE);
  await tag(lake, `for ${PERSON.name}`);
  const refusals = [await eraseDropping('q1').catch((error) => error)];
  await lake.warehouse.dropRef(TABLE, `for ${PERSON.name}`);
  await eraseDropping('q1', 'never-there').catch((error) => error);
  const stopped = { ...requestIn(lake), signal: AbortSignal.abort(), request: 'erasure-0002', ids: [2] };
  await expect(erase(stopped)).rejects.toMatchObject({ code: 'erasure/stopped' });
  await tag(lake, 'zz.ben@post.ex');
  refusals.push(await eraseIn(lake, { request: 'erasure-0002', ids: [2] }).catch((error) => error));
  expect(refusals[0].tables).toMatchObject([
    { code: 'branch-or-tag', reason: `the tag for *** keeps snapshot ${currentSnapshotId}` },
  ]);
  expect(refusals[1].tables).toMatchObject([{ code: 'branch-or-tag' }]);
  for (const { message, stack, remedy, tables, data } of refusals) {
    const said = `${message}${stack}${remedy}${JSON.stringify([tables, data])}`.toLowerCase();
    for (const value of ['quirina', 'zolotareva', 'zz.ben@post.ex']) expect(said).not.toContain(value);
  }
});

test('E1: a decided tag is dropped with the snapshot that it kept', async () => {
  const evidence = await eraseDropping('q1', 'never-there');
  expect(isClean(evidence)).toBe(true);
  expect(await rowsOf(lake.warehouse)).toEqual(ROWS_LEFT);
  const { refs, snapshots } = await lake.warehouse.describe(TABLE);
  expect(refs.map(({ name }) => name)).toEqual(['main']);
  expect(snapshots).toHaveLength(1);
});
