import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeLake } from '../../../support/lake.ts';
import { filesUnder } from '../../../support/manifests.ts';
import { PEOPLE, people, peopleFrom, withId } from '../../../support/rows.ts';
import { makePeopleLake, type PeopleLake, TABLE } from './people-lake.ts';

let lake: PeopleLake;
beforeEach(async () => {
  lake = await makePeopleLake();
});
afterEach(() => lake.close());

describe('what is gone or damaged', () => {
  test('a data file that is gone fails a change by name, and nothing is changed', async () => {
    const [name] = (await readdir(join(lake.folder, 'data'))).filter((file) => file.endsWith('.parquet'));
    const keep = join(lake.path, 'kept');
    await copyFile(join(lake.folder, 'data', name!), keep);
    await rm(join(lake.folder, 'data', name!));
    const before = [await filesUnder(lake.folder), await lake.hint()];
    const change = lake.warehouse.change(
      TABLE,
      {
        delete: {
          kind: 'in',
          column: 'id',
          values: [
            { type: 'long', value: '3' },
            { type: 'long', value: '103' },
          ],
        },
      },
      {},
    );
    await expect(change).rejects.toMatchObject({ kind: 'failed', message: expect.stringContaining(name!) });
    expect([await filesUnder(lake.folder), await lake.hint()]).toEqual(before);
  });

  test.each(['manifest list', 'manifest'])(
    'a %s that is cut or gone is named, and nothing is changed',
    async (kind) => {
      const names = (await readdir(join(lake.folder, 'metadata'))).filter((name) => name.endsWith('.avro'));
      const { currentSnapshotId } = await lake.warehouse.describe(TABLE);
      const [name] = names.filter((each) =>
        kind === 'manifest' ? !each.startsWith('snap-') : each.includes(String(currentSnapshotId)),
      );
      const file = join(lake.folder, 'metadata', name!);
      const bytes = await readFile(file);
      for (const damage of [bytes.subarray(0, bytes.length - 20), bytes.subarray(0, 3), null]) {
        if (damage === null) await rm(file);
        else await writeFile(file, damage);
        const before = await filesUnder(lake.folder);
        const change = lake.warehouse.change(TABLE, { delete: withId(3n) }, {});
        await expect(change).rejects.toMatchObject({
          kind: 'failed',
          message: expect.stringContaining(name!),
        });
        expect(await filesUnder(lake.folder)).toEqual(before);
      }
    },
  );

  test('a manifest that ends early between two blocks is not passed over', async () => {
    // Cut right after the header, it is a valid file of no entries.
    const names = (await readdir(join(lake.folder, 'metadata'))).filter((name) => /-m\d+\.avro$/.test(name));
    const file = join(lake.folder, 'metadata', names[0]!);
    const bytes = await readFile(file);
    const sync = bytes.subarray(-16);
    await writeFile(file, bytes.subarray(0, bytes.indexOf(sync) + 16));
    await expect(lake.warehouse.count(TABLE)).rejects.toMatchObject({ code: 'iceberg/incomplete-manifest' });
  });

  test('a file outside the warehouse that a manifest names is not touched', async () => {
    const outside = await makeLake();
    try {
      await outside.warehouse.create('x', { columns: PEOPLE });
      await outside.warehouse.append('x', people(peopleFrom(1n, 3)));
      const theirs = join(outside.path, 'x/metadata');
      const names = (await readdir(theirs)).filter((name) => name.startsWith('snap-'));
      await lake.edit((document) => ({
        ...document,
        snapshots: (document.snapshots as object[]).map((snapshot) => ({
          ...snapshot,
          'manifest-list': join(theirs, names[0]!),
        })),
      }));
      const refused = { kind: 'refused', code: 'storage/outside' };
      await expect(lake.warehouse.count(TABLE)).rejects.toMatchObject(refused);
      await expect(lake.warehouse.change(TABLE, { delete: { kind: 'always' } }, {})).rejects.toMatchObject(
        refused,
      );
      expect(await outside.warehouse.count('x')).toBe(3);
    } finally {
      await outside.close();
    }
  });
});
