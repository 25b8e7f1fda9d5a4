import { symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { filesUnder } from '../../../support/manifests.ts';
import { withId } from '../../../support/rows.ts';
import { makePeopleLake, type PeopleLake, statisticsAt, TABLE } from './people-lake.ts';

let lake: PeopleLake;
beforeEach(async () => {
  lake = await makePeopleLake();
});
afterEach(() => lake.close());

describe('a refusal', () => {
  const codes = async (): Promise<readonly string[]> =>
    (await lake.warehouse.describe(TABLE)).refusals.map(({ code }) => code);

  test('is said in the words of the property', async () => {
    await lake.warehouse.setProperties(
      TABLE,
      { 'gc.enabled': 'false', 'history.expire.min-snapshots-to-keep': '3' },
      {},
    );
    expect((await lake.warehouse.describe(TABLE)).refusals).toMatchObject([
      { code: 'gc-disabled', reason: 'gc.enabled=false turns off garbage collection for the table' },
      {
        code: 'keeps-snapshots',
        reason: 'history.expire.min-snapshots-to-keep=3 keeps the snapshot from before the delete',
      },
    ]);
  });

  test('names each branch and tag', async () => {
    const { currentSnapshotId } = await lake.warehouse.describe(TABLE);
    const ref = (type: string) => ({ 'snapshot-id': currentSnapshotId, type });
    await lake.edit((document) => ({
      ...document,
      refs: { ...(document.refs as object), q1: ref('tag'), audit: ref('branch') },
    }));
    expect(await codes()).toEqual(['branch-or-tag', 'branch-or-tag']);
  });

  test('E2: names each place that the storage does not take, and a link that leads out, before any change', async () => {
    const { warehouse } = lake;
    const { currentSnapshotId } = await warehouse.describe(TABLE);
    expect(await warehouse.storageRefusals(TABLE)).toEqual([]);
    await symlink(tmpdir(), join(lake.folder, 'data/out'));
    await lake.edit((document) => ({
      ...document,
      properties: { 'write.data.path': 'hdfs://old/learners', 'write.metadata.path': '' },
      statistics: ['/etc/hostname', 'learners.stats', join(lake.folder, 'data')].map((place) =>
        statisticsAt(place, currentSnapshotId),
      ),
    }));
    const refusals = await warehouse.storageRefusals(TABLE);
    expect(refusals.map(({ code }) => code)).toEqual([
      'outside',
      'scheme',
      'relative',
      'outside',
      'relative',
      'statistics-folder',
    ]);
    expect(refusals[1]!.reason).toContain('hdfs://old/learners is not on this machine');
  });

  test('is none for old metadata that the log names elsewhere, as after a migration', async () => {
    const { warehouse } = lake;
    const old = ['hdfs://old/v1.metadata.json', 's3://old/v1.metadata.json', 'v1.metadata.json', '', '/a\0b'];
    await lake.edit((document) => ({
      ...document,
      'metadata-log': old.map((file, at) => ({ 'timestamp-ms': 1000 + at, 'metadata-file': file })),
    }));
    expect(await warehouse.storageRefusals(TABLE)).toEqual([]);
    await warehouse.change(TABLE, { delete: withId(1n) }, {});
    await warehouse.expire(TABLE, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' });
    await warehouse.sweep(TABLE, { minAgeMs: 0 });
    expect(await warehouse.count(TABLE)).toBe(19);
  });

  test.each([2n ** 63n - 1n, 2n ** 63n - 2n, -1n])(
    'says that the metadata is damaged where no commit can be numbered after %s',
    async (last) => {
      await lake.edit((document) => ({ ...document, 'last-sequence-number': last }));
      expect((await lake.warehouse.describe(TABLE)).refusals).toMatchObject([
        { code: 'damaged-numbers', reason: expect.stringContaining(`last-sequence-number is ${last}`) },
      ]);
      const before = await filesUnder(lake.folder);
      await expect(lake.warehouse.change(TABLE, { delete: withId(1n) }, {})).rejects.toMatchObject({
        code: 'iceberg/damaged-numbers',
      });
      expect(await filesUnder(lake.folder)).toEqual(before);
    },
  );

  test('names a staged write until it is published: the expiry would lose its rows', async () => {
    const { currentSnapshotId: current } = await lake.warehouse.describe(TABLE);
    const [staged, later] = [current! + 1n, current! + 2n];
    type Document = Record<string, unknown> & { readonly snapshots: readonly Record<string, unknown>[] };
    const add = (id: bigint, summary: object) =>
      lake.edit((document) => {
        const { snapshots } = document as Document;
        const like = snapshots.find((one) => one['snapshot-id'] === current)!;
        const parent = { 'parent-snapshot-id': current };
        const one = { ...like, ...parent, 'snapshot-id': id, summary: { operation: 'append', ...summary } };
        return { ...document, snapshots: [...snapshots, one] };
      });
    // One that no branch has and that nobody will publish is over and done with.
    await add(later, {});
    expect(await codes()).toEqual([]);
    await add(staged, { 'wap.id': 'nightly' });
    expect((await lake.warehouse.describe(TABLE)).refusals).toMatchObject([
      { code: 'staged-snapshot', reason: expect.stringContaining(`snapshot ${staged} is staged`) },
    ]);
    // Published by a commit of its rows, or because a branch was moved to it.
    const move = (name: string) =>
      lake.edit((document) => ({
        ...document,
        refs: { ...(document.refs as object), [name]: { 'snapshot-id': staged, type: 'branch' } },
      }));
    await move('audit');
    expect(await codes()).toEqual(['branch-or-tag']);
    await add(staged + 2n, { 'wap.id': 'weekly' });
    expect(await codes()).toEqual(['staged-snapshot', 'branch-or-tag']);
    await add(staged + 3n, { 'published-wap-id': 'weekly' });
    expect(await codes()).toEqual(['branch-or-tag']);
  });

  test('comes before any change for what cannot be changed: missing row ids, unknown transforms, names, types', async () => {
    const { warehouse } = lake;
    const refuses = async (code: string): Promise<void> => {
      expect(await codes()).toContain(code);
      const before = await filesUnder(lake.path);
      const refused = { kind: 'refused', code: `iceberg/${code}` };
      await expect(warehouse.change(TABLE, { delete: withId(3n) }, {})).rejects.toMatchObject(refused);
      expect(await filesUnder(lake.path)).toEqual(before);
    };
    await lake.edit((document) => ({ ...document, 'format-version': 3 }));
    await refuses('row-ids');
    await lake.edit((document) => ({
      ...document,
      'format-version': 2,
      'partition-specs': [
        { 'spec-id': 0, fields: [] },
        { 'spec-id': 1, fields: [{ 'source-id': 1, 'field-id': 1000, name: 'z', transform: 'zorder' }] },
      ],
    }));
    await refuses('unknown-transform');
    const column = (name: string, type: string) =>
      lake.edit((document) => {
        const [schema] = document.schemas as { fields: { id: number }[] }[];
        const fields = [
          ...schema!.fields.filter(({ id }) => id !== 9),
          { id: 9, name, required: false, type },
        ];
        return {
          ...document,
          'partition-specs': [{ 'spec-id': 0, fields: [] }],
          schemas: [{ ...schema, fields }],
        };
      });
    await column('a\0b', 'string');
    await refuses('column-name');
    await column('raw', 'fixed[5]');
    await refuses('unsupported-type');
    // What goes whole is not written again, and a change that finds nobody writes nothing.
    expect(await warehouse.change(TABLE, { delete: withId(999n) }, {})).toMatchObject({ filesRemoved: 0 });
    const all = await warehouse.change(TABLE, { delete: { kind: 'always' } }, {});
    expect(all).toMatchObject({ rowsDeleted: 20, filesRemoved: 2, filesAdded: 0 });
    expect(await warehouse.count(TABLE)).toBe(0);
  });
});
