import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localStorage } from '../../../../src/storage/index.ts';
import type { DataFile } from '../../../../src/warehouse/data-file.ts';
import type { DataPlane } from '../../../../src/warehouse/data-plane.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { commitFiles, equalityDeletes, positionDeletes, stateOf } from '../../../support/delete-files.ts';
import { type Lake, makeLake } from '../../../support/lake.ts';
import { filesUnder } from '../../../support/manifests.ts';
import { PEOPLE, people, peopleFrom, readPeople, withId } from '../../../support/rows.ts';

const TABLE = 'crm.learners';
const EMAIL = PEOPLE[1].name;

let lake: Lake;
let plane: DataPlane;
beforeEach(async () => {
  lake = await makeLake();
  plane = await duckdbPlane({ storage: localStorage({ roots: [lake.path] }) });
  await lake.warehouse.create(TABLE, { columns: PEOPLE });
});
afterEach(async () => {
  await plane.close();
  await lake.close();
});

const byPosition = (rows: readonly (readonly [file: string, position: number])[]): Promise<DataFile> =>
  positionDeletes({ lake, plane, table: TABLE }, rows);

const byId = (ids: readonly bigint[]): Promise<DataFile> =>
  equalityDeletes({ lake, plane, table: TABLE }, { id: 1, name: 'id', required: false, type: 'long' }, ids);

const byEmail = (emails: readonly string[]): Promise<DataFile> =>
  equalityDeletes(
    { lake, plane, table: TABLE },
    { id: 2, name: EMAIL, required: false, type: 'string' },
    emails,
  );

/** Oldest first: each commit puts its manifest before the others. */
const dataFiles = async (): Promise<readonly string[]> =>
  (await (await stateOf(lake, TABLE)).files({})).map(({ file }) => file.location).toReversed();

const deleteFiles = async (): Promise<readonly string[]> =>
  (await (await stateOf(lake, TABLE)).deleteFiles()).map(({ location }) => location);

const load = async (first: bigint, count: number): Promise<void> => {
  await lake.warehouse.append(TABLE, people(peopleFrom(first, count)));
};

describe('a table with delete files', () => {
  test('is read without the deleted rows, by age: keys hide older rows only, positions those of the same commit too', async () => {
    const { warehouse } = lake;
    await load(1n, 10);
    const [first] = await dataFiles();
    await commitFiles(lake, TABLE, [await byId([3n, 4n]), await byPosition([[first!, 9]])]);
    await load(3n, 1);
    const left = [1n, 2n, 3n, 5n, 6n, 7n, 8n, 9n];
    expect((await readPeople(warehouse, TABLE)).map(({ id }) => id)).toEqual(left);
    expect(await warehouse.count(TABLE)).toBe(8);
    expect(await warehouse.describe(TABLE)).toMatchObject({ deleteFiles: 2, refusals: [] });
  });

  test('no deleted row comes back when a file is written again, and deletes that served it alone go (hazard 24)', async () => {
    const { warehouse } = lake;
    await load(1n, 10);
    await load(101n, 10);
    const [first, second] = await dataFiles();
    const [own, both] = [
      await byPosition([[first!, 0]]),
      await byPosition([
        [first!, 1],
        [second!, 0],
      ]),
    ];
    const key = await byId([3n, 103n]);
    await commitFiles(lake, TABLE, [own, both, key]);
    const changed = await warehouse.change(TABLE, { delete: withId(5n) }, {});
    expect(changed).toMatchObject({ rowsDeleted: 1, filesAdded: 1, filesRemoved: 1 });
    const left = [4n, 6n, 7n, 8n, 9n, 10n, 102n, ...peopleFrom(104n, 7).map(({ id }) => id)];
    expect((await readPeople(warehouse, TABLE)).map(({ id }) => id)).toEqual(left);
    expect((await deleteFiles()).toSorted()).toEqual([both.location, key.location].toSorted());
    const { snapshots } = await warehouse.describe(TABLE);
    expect(snapshots.at(-1)).toMatchObject({
      operation: 'overwrite',
      summary: {
        'removed-delete-files': '1',
        'removed-position-delete-files': '1',
        'total-delete-files': '2',
      },
    });
    await warehouse.change(TABLE, { delete: withId(105n) }, {});
    expect(await deleteFiles()).toEqual([]);
    expect((await readPeople(warehouse, TABLE)).map(({ id }) => id)).toEqual(
      left.filter((id) => id !== 105n),
    );
  });

  test('a person whom only a delete file hides is written away, and no delete file keeps the id (hazard 37)', async () => {
    const { warehouse } = lake;
    await load(1n, 10);
    await load(101n, 10);
    const [first] = await dataFiles();
    await commitFiles(lake, TABLE, [await byPosition([[first!, 2]]), await byId([103n]), await byId([107n])]);
    const before = await dataFiles();
    expect(await warehouse.change(TABLE, { delete: withId(3n) }, {})).toMatchObject({ filesRemoved: 0 });
    expect(await dataFiles()).toEqual(before);
    const hidden = await warehouse.change(TABLE, { delete: withId(3n), physically: true }, {});
    expect(hidden).toMatchObject({ rowsDeleted: 0, filesRemoved: 1, filesAdded: 1 });
    const keyed = await warehouse.change(TABLE, { delete: withId(103n), physically: true }, {});
    expect(keyed.rowsDeleted).toBe(0);
    expect(await deleteFiles()).toEqual([]);
    const ids = (await readPeople(warehouse, TABLE)).map(({ id }) => id);
    expect(ids).toEqual(
      [...peopleFrom(1n, 10), ...peopleFrom(101n, 10)]
        .map(({ id }) => id)
        .filter((id) => ![3n, 103n, 107n].includes(id)),
    );
    lake.clock.at += 1000;
    await warehouse.expire(TABLE, { olderThan: lake.clock.at, minToKeep: 1, files: 'delete' });
    expect((await filesUnder(lake.path)).filter((file) => file.includes('delete-'))).toEqual([]);
  });

  test('an equality delete by another column may hold anybody, so it goes; one of other ids stays', async () => {
    const { warehouse } = lake;
    await load(1n, 10);
    await load(101n, 10);
    const [kept, gone] = [await byId([8n]), await byEmail(['person-3@example.org'])];
    await commitFiles(lake, TABLE, [kept]);
    await load(201n, 3);
    await warehouse.change(TABLE, { delete: withId(5n), physically: true }, {});
    expect(await deleteFiles()).toEqual([kept.location]);
    await commitFiles(lake, TABLE, [gone]);
    await warehouse.change(TABLE, { delete: withId(202n), physically: true }, {});
    expect(await deleteFiles()).toEqual([]);
    const expected = [...peopleFrom(1n, 10), ...peopleFrom(101n, 10), ...peopleFrom(201n, 3)];
    expect(await readPeople(warehouse, TABLE)).toEqual(
      expected.filter(({ id }) => ![3n, 5n, 8n, 202n].includes(id)),
    );
  });

  test('a delete file that applies to nothing goes with the next erasure', async () => {
    const { warehouse } = lake;
    const dangling = await byId([3n]);
    await commitFiles(lake, TABLE, [dangling]);
    await load(1n, 10);
    expect(await warehouse.count(TABLE)).toBe(10);
    const changed = await warehouse.change(TABLE, { delete: withId(500n), physically: true }, {});
    expect(changed).toMatchObject({ rowsDeleted: 0, filesAdded: 0, filesRemoved: 0 });
    expect(changed.snapshotAfter).not.toBe(changed.snapshotBefore);
    expect(await deleteFiles()).toEqual([]);
    const again = await warehouse.change(TABLE, { delete: withId(500n), physically: true }, {});
    expect(again.snapshotAfter).toBe(again.snapshotBefore);
  });
});
