import { access, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type EraseOptions, isClean } from '../../../src/erasure/index.ts';
import { openRegister } from '../../../src/register/index.ts';
import type { Warehouse } from '../../../src/warehouse/index.ts';
import { eraseIn } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const lake = lakeOfEachTest();

/** A warehouse that says nothing of where its catalog keeps the tables, as one behind a service. */
function rootless(warehouse: Warehouse): Warehouse {
  return new Proxy(warehouse, {
    get: (target, property) => {
      const value: unknown = property === 'root' ? undefined : Reflect.get(target, property);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function given(name: string, path: string): Promise<Partial<EraseOptions>> {
  if (name !== 'register') return { [name]: path };
  return { register: await openRegister({ path, keys: { k: 'k'.repeat(32) }, current: 'k' }) };
}

const refused = (name: string) => ({ code: 'erasure/among-tables', kind: 'input', data: { name } });

test.each(['state', 'evidence', 'register'])(
  'G4: a %s in the warehouse is refused before it is made: a sweep or the scan would meet it',
  async (name) => {
    const path = join(lake.dir, 'warehouse', 'own');
    for (const dryRun of [true, false]) {
      const erasing = eraseIn(lake, { ...(await given(name, path)), dryRun });
      await expect(erasing).rejects.toMatchObject(refused(name));
    }
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

test.each(['state', 'evidence', 'register'])(
  'G4: a %s in a folder of a table is refused, wherever the catalog keeps its tables',
  async (name) => {
    const own = await given(name, join(lake.dir, 'warehouse', 'crm', 'learners', 'own'));
    const erasing = eraseIn(lake, { ...own, warehouse: rootless(lake.warehouse) });
    await expect(erasing).rejects.toMatchObject(refused(name));
    expect(await lake.register.entries()).toEqual([]);
  },
);

test('G4: evidence that a link leads among the tables is refused, also once the job has begun', async () => {
  await expect(eraseIn(lake, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'erasure/stopped',
  });
  await mkdir(join(lake.dir, 'proofs'));
  await symlink(join(lake.dir, 'warehouse', 'crm', 'learners'), join(lake.dir, 'proofs', 'link'));
  const warehouse = rootless(lake.warehouse);
  const erasing = eraseIn(lake, { evidence: join(lake.dir, 'proofs', 'link', 'new'), warehouse });
  await expect(erasing).rejects.toMatchObject(refused('evidence'));
  expect(isClean(await eraseIn(lake, { evidence: join(lake.dir, 'proofs') }))).toBe(true);
});
