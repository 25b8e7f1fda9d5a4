import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Lake, makeLake } from '../support/lake.ts';
import { sharedPath, sharedReason } from '../support/shared.ts';

let lake: Lake;
beforeEach(async () => {
  lake = await makeLake();
});
afterEach(() => lake.close());

const DELTA = { kind: 'refused', code: 'warehouse/delta' };

test('a Delta table in the folder of the catalog is told from one that is not there', async () => {
  await mkdir(join(lake.path, 'crm/people/_delta_log'), { recursive: true });
  await writeFile(join(lake.path, 'crm/people/_delta_log/00000000000000000000.json'), '{"commitInfo":{}}\n');
  await expect(lake.warehouse.describe('crm.people')).rejects.toMatchObject(DELTA);
  await expect(lake.warehouse.describe('crm.nobody')).rejects.toMatchObject({
    code: 'warehouse/no-such-table',
  });
  expect(await lake.warehouse.list()).toEqual([]);
});

const root = sharedPath('samples', 'iceberg');
const why = root === null ? ` (${sharedReason('samples', 'iceberg')})` : '';

test.skipIf(root === null)(`Delta tables of other writers are known for what they are${why}`, async () => {
  const folders = (await readdir(root!)).filter((name) => name.startsWith('delta-'));
  const tables = Object.fromEntries(folders.map((name) => [name, join(root!, name)]));
  const logs = (await readdir(root!, { recursive: true })).filter((path) => path.endsWith('/_delta_log'));
  expect(folders.filter((name) => logs.includes(`${name}/_delta_log`)).length).toBeGreaterThan(8);
  const warehouse = await lake.open({ tables });
  for (const name of folders.filter((name) => logs.includes(`${name}/_delta_log`)))
    await expect(warehouse.describe(name)).rejects.toMatchObject(DELTA);
});
