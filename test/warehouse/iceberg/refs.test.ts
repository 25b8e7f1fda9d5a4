import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../../../src/values/json.ts';
import { type Lake, makeLake } from '../../support/lake.ts';
import { filesUnder } from '../../support/manifests.ts';
import { PEOPLE, people, peopleFrom, readPeople, withId } from '../../support/rows.ts';

const TABLE = 'crm.learners';
let lake: Lake;
let snapshots: readonly bigint[];

/** Two snapshots: a branch on the first, a tag on the second. */
beforeEach(async () => {
  lake = await makeLake();
  await lake.warehouse.create(TABLE, { columns: PEOPLE });
  await lake.warehouse.append(TABLE, people(peopleFrom(1n, 3)));
  await lake.warehouse.overwrite(TABLE, people(peopleFrom(11n, 2)));
  snapshots = (await lake.warehouse.describe(TABLE)).snapshots.map(({ id }) => id);
  await edit((document) => ({
    ...document,
    refs: {
      ...(document.refs as object),
      audit: { 'snapshot-id': snapshots[0], type: 'branch' },
      q1: { 'snapshot-id': snapshots[1], type: 'tag' },
    },
  }));
});
afterEach(() => lake.close());

/** Changes the newest metadata by hand, as another writer would. */
async function edit(change: (document: Record<string, unknown>) => Record<string, unknown>): Promise<void> {
  const folder = join(lake.path, 'crm/learners/metadata');
  const hint = (await readFile(join(folder, 'version-hint.text'), 'utf8')).trim();
  const file = join(folder, `v${hint}.metadata.json`);
  const document = parseJson(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, stringifyJson(change(document)));
}

const names = async (): Promise<readonly string[]> =>
  (await lake.warehouse.describe(TABLE)).refs.map(({ name }) => name);
const expire = async (): Promise<readonly bigint[]> => {
  lake.clock.at += 1000;
  const expired = await lake.warehouse.expire(TABLE, {
    olderThan: lake.clock.at,
    minToKeep: 1,
    files: 'delete',
  });
  return expired.snapshots;
};

test('what stands on a branch alone is read and counted there, and goes only with it', async () => {
  // The branch goes its own way: two rows are written on it, and main stays where it was.
  const { warehouse } = lake;
  await warehouse.append(TABLE, people(peopleFrom(21n, 2)));
  const { snapshots: all } = await warehouse.describe(TABLE);
  const own = all.at(-1)!.id;
  await edit((document) => ({
    ...document,
    'current-snapshot-id': snapshots[1],
    refs: {
      main: { 'snapshot-id': snapshots[1], type: 'branch' },
      audit: { 'snapshot-id': own, type: 'branch' },
    },
    'snapshot-log': (document['snapshot-log'] as readonly object[]).slice(0, 2),
  }));
  expect((await readPeople(warehouse, TABLE)).map(({ id }) => id)).toEqual([11n, 12n]);
  const branch = { snapshotId: own };
  expect(await warehouse.count(TABLE, withId(21n), branch)).toBe(1);
  expect((await readPeople(warehouse, TABLE, own)).map(({ id }) => id)).toEqual([11n, 12n, 21n, 22n]);
  // An erasure that works on main leaves the branch, and says that it stands in the way.
  expect((await warehouse.describe(TABLE)).refusals).toMatchObject([{ code: 'branch-or-tag', ref: 'audit' }]);
  await warehouse.change(TABLE, { delete: withId(11n), physically: true }, {});
  await expire();
  expect((await readPeople(warehouse, TABLE)).map(({ id }) => id)).toEqual([12n]);
  expect(await warehouse.count(TABLE, undefined, branch)).toBe(4);
  expect(await warehouse.unreferenced(TABLE)).toEqual([]);
  await warehouse.dropRef(TABLE, 'audit');
  expect(await expire()).toContain(own);
  expect(await filesUnder(join(lake.path, 'crm/learners/data'))).toHaveLength(1);
});

test('a ref keeps its snapshot until it is dropped, and only then', async () => {
  expect(await expire()).toEqual([]);
  await lake.warehouse.dropRef(TABLE, 'q1');
  expect(await names()).toEqual(['main', 'audit']);
  expect(await expire()).toEqual([]);
  expect(await lake.warehouse.count(TABLE, undefined, { snapshotId: snapshots[0]! })).toBe(3);
  await lake.warehouse.dropRef(TABLE, 'audit');
  expect(await expire()).toEqual([snapshots[0]]);
  expect(await lake.warehouse.count(TABLE)).toBe(2);
});

test('main is not dropped, and a name that is not there changes nothing', async () => {
  await expect(lake.warehouse.dropRef(TABLE, 'main')).rejects.toMatchObject({
    kind: 'refused',
    code: 'iceberg/main',
  });
  await lake.warehouse.dropRef(TABLE, 'nobody');
  expect(await names()).toEqual(['main', 'audit', 'q1']);
});
