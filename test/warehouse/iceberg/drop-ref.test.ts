import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../../../src/values/json.ts';
import { type Lake, makeLake } from '../../support/lake.ts';
import { PEOPLE, people, peopleFrom } from '../../support/rows.ts';

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
  const folder = join(lake.path, 'crm/learners/metadata');
  const hint = (await readFile(join(folder, 'version-hint.text'), 'utf8')).trim();
  const file = join(folder, `v${hint}.metadata.json`);
  const document = parseJson(await readFile(file, 'utf8')) as Record<string, object>;
  const refs = {
    ...document.refs,
    audit: { 'snapshot-id': snapshots[0], type: 'branch' },
    q1: { 'snapshot-id': snapshots[1], type: 'tag' },
  };
  await writeFile(file, stringifyJson({ ...document, refs }));
});
afterEach(() => lake.close());

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
