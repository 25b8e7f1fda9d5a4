import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_METRICS } from '../../../contracts/data-plane/build.ts';
import { commitFiles, stateOf } from '../../../support/delete-files.ts';
import { puffinOfVectors } from '../../../support/deletion-vector.ts';
import { type Lake, makeLake } from '../../../support/lake.ts';
import { PEOPLE, people, peopleFrom, readPeople, withId } from '../../../support/rows.ts';

const TABLE = 'crm.learners';

let lake: Lake;
beforeEach(async () => {
  lake = await makeLake();
  await lake.warehouse.create(TABLE, { columns: PEOPLE, formatVersion: 3 });
});
afterEach(() => lake.close());

/** Commits one Puffin file that hides a row of each data file, as Java and PyIceberg write it. */
async function hide(dataFiles: readonly string[], position: number, name: string): Promise<string> {
  const { bytes, places } = puffinOfVectors(
    dataFiles.map((dataFile) => ({ dataFile, positions: [position] })),
  );
  const location = join(lake.path, 'crm/learners/data', name);
  await writeFile(location, bytes);
  const vectors = dataFiles.map((dataFile, index) => ({
    content: 'position-deletes' as const,
    location,
    format: 'puffin',
    specId: 0,
    partition: [],
    recordCount: 1n,
    fileSize: BigInt(bytes.length),
    metrics: NO_METRICS,
    referencedDataFile: dataFile,
    contentOffset: BigInt(places[index]!.offset),
    contentSize: BigInt(places[index]!.length),
  }));
  await commitFiles(lake, TABLE, vectors);
  return location;
}

const live = async (): Promise<readonly string[]> =>
  (await (await stateOf(lake, TABLE)).files({})).map(({ file }) => file.location);

test("an erasure leaves no Puffin file that names the erased person's data file; others' vectors stay", async () => {
  const { warehouse } = lake;
  for (const first of [1n, 101n, 201n, 301n]) await warehouse.append(TABLE, people(peopleFrom(first, 10)));
  // Oldest first: each commit puts its manifest before the others.
  const [first, second, third, fourth] = (await live()).toReversed();
  const shared = await hide([first!, second!], 4, 'shared.puffin');
  const others = await hide([third!, fourth!], 4, 'others.puffin');
  const before = await readPeople(warehouse, TABLE);
  const erased = await warehouse.change(TABLE, { delete: withId(3n), physically: true }, {});
  expect(erased).toMatchObject({ rowsDeleted: 1, filesRemoved: 2, filesAdded: 2 });
  expect(await readPeople(warehouse, TABLE)).toEqual(before.filter(({ id }) => id !== 3n));
  const deletes = (await (await stateOf(lake, TABLE)).deleteFiles()).map(({ location }) => location);
  expect(deletes).toEqual([others, others]);
  expect(await live()).toEqual(expect.arrayContaining([third, fourth]));
  lake.clock.at += 1000;
  await warehouse.expire(TABLE, { olderThan: lake.clock.at, minToKeep: 1, files: 'delete' });
  const folder = join(lake.path, 'crm/learners/data');
  const left = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')),
  );
  expect(left.filter((bytes) => bytes.includes(first!.slice(first!.lastIndexOf('/'))))).toEqual([]);
  expect(left.filter((bytes) => bytes.includes(shared))).toEqual([]);
});

test('a delete that is not physical touches no other data file', async () => {
  const { warehouse } = lake;
  for (const first of [1n, 101n]) await warehouse.append(TABLE, people(peopleFrom(first, 10)));
  await hide(await live(), 4, 'shared.puffin');
  const deleted = await warehouse.change(TABLE, { delete: withId(3n) }, {});
  expect(deleted).toMatchObject({ rowsDeleted: 1, filesRemoved: 1, filesAdded: 1 });
});
