import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ErasureRefused } from '../../src/erasure/index.ts';
import { isClean } from '../../src/erasure/job/index.ts';
import { scan } from '../../src/scan/index.ts';
import type { Warehouse } from '../../src/warehouse/index.ts';
import { rowTexts } from './engines/canonical.ts';
import { openSpark, type Spark } from './engines/spark.ts';
import { leftovers, objectsUnder } from './leftovers.ts';
import type { Engine } from './matrix/engine.ts';
import { erasePerson, governanceOf, letheOn } from './matrix/erasure.ts';
import { FEATURES, PERSON } from './matrix/features.ts';
import { type Lake, makeLake } from './matrix/lake.ts';
import { pyicebergOn } from './matrix/pyiceberg.ts';
import { sparkOn } from './matrix/spark.ts';

/** A first install of everything is within it. */
const INSTALL_MS = 1_200_000;

/** Rows of the tables as they stand; those from 7 on are staged, and 7 is the person's second row. */
const { visible } = FEATURES.v2;
const [STANDING, STAGED] = [visible.slice(0, 6), visible.slice(6)];

/** The tables: each has a snapshot that no branch or tag names. */
const [AUDITED, NAMELESS, UNDONE] = ['staged.audited', 'staged.nameless', 'staged.undone'];

let lake: Lake;
let spark: Spark;
let engine: Engine;
let warehouse: Warehouse;

const sql = (statement: string) => spark.sql(statement.replaceAll('$LAKE', lake.name));
const currentOf = async (table: string): Promise<string> =>
  String((await warehouse.describe(table)).currentSnapshotId);

/** Inserts rows, and makes the snapshot from before the current one again. */
async function undo(table: string): Promise<string> {
  const before = await currentOf(table);
  for (const row of STAGED) await engine.append(table, 'v2', row);
  const undone = await currentOf(table);
  await sql(`CALL $LAKE.system.rollback_to_snapshot('${table}', ${before})`);
  return undone;
}

async function erase(request: string) {
  const folder = await mkdtemp(join(inject('data'), 'job-'));
  const governance = governanceOf(await warehouse.list());
  return erasePerson({ warehouse, governance, folder, request });
}

beforeAll(async () => {
  lake = await makeLake('sql', 'staged', 's3');
  // It makes the tables of the catalog's database.
  await pyicebergOn(lake);
  engine = await sparkOn(lake);
  spark = await openSpark();
  for (const table of [AUDITED, NAMELESS, UNDONE]) {
    await engine.write('v2', table);
    await sql(`DELETE FROM $LAKE.${table} WHERE id > 6`);
  }
  warehouse = await letheOn(lake);
  await sql(`ALTER TABLE $LAKE.${AUDITED} SET TBLPROPERTIES ('write.wap.enabled' = 'true')`);
  await spark.conf({ 'spark.wap.id': 'nightly' });
  for (const row of STAGED.slice(0, 1)) await engine.append(AUDITED, 'v2', row);
  await sql('RESET spark.wap.id');
  await spark.stageAgain(`${lake.name}.${NAMELESS}`, await undo(NAMELESS));
  await undo(UNDONE);
}, INSTALL_MS);
afterAll(() => warehouse?.close());

test('what is staged stands in no branch, as Spark says', async () => {
  for (const table of [AUDITED, NAMELESS, UNDONE])
    expect(rowTexts(await engine.read(table))).toEqual(rowTexts(STANDING));
  const staged = `SELECT count(*) FROM $LAKE.${AUDITED}.snapshots WHERE summary['wap.id'] = 'nightly'`;
  expect(await sql(staged)).toEqual([['1']]);
});

test('the scan finds the person there; an erasure is refused by name while a staged write waits, and changes nothing', async () => {
  const before = await objectsUnder(lake.warehouse);
  const failure = (await erase('erasure-0001').catch((error: unknown) => error)) as ErasureRefused;
  expect(failure).toBeInstanceOf(ErasureRefused);
  expect(failure.tables).toMatchObject([{ table: AUDITED, code: 'staged-snapshot' }]);
  expect(await objectsUnder(lake.warehouse)).toEqual(before);

  const { tables } = await scan({ warehouse, traces: failure.traces });
  const found = tables.flatMap((table) => table.found).filter(({ kind }) => kind === 'data');
  const outside = (await leftovers(lake.warehouse)).data!;
  expect([...new Set(found.map(({ file }) => file))].sort()).toEqual(outside);
  for (const table of [AUDITED, NAMELESS, UNDONE]) {
    const files = new Set((await sql(`SELECT file_path FROM $LAKE.${table}.files`)).map(([path]) => path));
    const { location } = await warehouse.describe(table);
    expect(outside.some((file) => file.startsWith(`${location}/`) && !files.has(file))).toBe(true);
  }
});

test('once it is published, or expired, the erasure takes the person out of everything that no branch names', async () => {
  await sql(`CALL $LAKE.system.publish_changes('${AUDITED}', 'nightly')`);
  const [published] = STAGED;
  expect(rowTexts(await engine.read(AUDITED))).toEqual(rowTexts([...STANDING, published!]));

  const evidence = await erase('erasure-0002');
  expect(isClean(evidence)).toBe(true);
  expect(await leftovers(lake.warehouse)).toEqual({});
  const others = STANDING.filter(([, customer]) => customer !== String(PERSON.customer));
  for (const table of [AUDITED, NAMELESS, UNDONE]) {
    expect(rowTexts(await engine.read(table))).toEqual(rowTexts(others));
    await engine.maintain(table);
    expect((await warehouse.describe(table)).snapshots).toHaveLength(1);
  }
});

test('a staged write that is expired by its id is in nobody’s way', async () => {
  await spark.conf({ 'spark.wap.id': 'weekly' });
  await engine.append(AUDITED, 'v2', STAGED[0]!);
  await sql('RESET spark.wap.id');
  await expect(erase('erasure-0003')).rejects.toBeInstanceOf(ErasureRefused);
  const staged = `SELECT snapshot_id FROM $LAKE.${AUDITED}.snapshots WHERE summary['wap.id'] = 'weekly'`;
  const [[id]] = (await sql(staged)) as [[string]];
  await sql(`CALL $LAKE.system.expire_snapshots(table => '${AUDITED}', snapshot_ids => ARRAY(${id}))`);
  expect(isClean(await erase('erasure-0004'))).toBe(true);
  expect(await leftovers(lake.warehouse)).toEqual({});
});
