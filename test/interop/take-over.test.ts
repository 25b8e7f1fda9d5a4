import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planForLearner } from '../../examples/erasure.ts';
import { makePlatform, type Platform } from '../../examples/platform/index.ts';
import { system } from '../../src/cli/system.ts';
import { noteTraces, scan, type Traces } from '../../src/scan/index.ts';
import { openIceberg } from '../../src/warehouse/index.ts';
import { peerErase, peerRead, peerRows } from './peer.ts';
import { comparable, readAll } from './rows.ts';

const TABLE = 'crm.learners';

let platform: Platform;
let dir: string;
let rows: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-take-over-'));
  platform = await makePlatform({ dir });
  rows = join(dir, 'learners.arrow');
  await writeFile(rows, tableToIPC(await readAll(platform.warehouse, TABLE), 'file'));
});
afterAll(async () => {
  await platform.close();
  await rm(dir, { recursive: true, force: true });
});

async function tracesOf(learner: number): Promise<Traces> {
  const { warehouse, governance } = platform;
  return noteTraces({ bound: await planForLearner(platform, learner), governance, warehouse });
}

const open = (path: string, takeOver: boolean) =>
  openIceberg({ catalog: { kind: 'directory', path, takeOver }, ...system });

describe.each([
  [3590, 'sorts first', 'lower'],
  [4998, 'sorts last', 'upper'],
] as const)('PyIceberg erases learner %i, whose email %s', (learner, _, side) => {
  test(`one manifest still names them, and Lethe's scrub ends it`, async () => {
    const traces = await tracesOf(learner);
    const folder = join(dir, `peer-${learner}`);
    const erased = await peerErase({ rows, folder, table: TABLE, column: 'learner_id', person: learner });
    expect(erased).toMatchObject({ rows: 4999, left: 0 });
    expect(erased.swept).toBeGreaterThan(0);
    // By PyIceberg's own reader: the deleted entry keeps the bounds of the file that held them.
    const kept = erased.entries.filter(({ status }) => status === 2);
    expect(kept).toHaveLength(1);

    const reading = await open(folder, false);
    const found = await scan({ warehouse: reading, traces });
    expect(found.totals).toMatchObject({ holding: 1, notProven: 0 });
    const holding = found.tables.flatMap((table) => table.found);
    expect(new Set(holding.map(({ kind }) => kind))).toEqual(new Set(['bound']));
    expect(kept[0]!.manifest).toContain(holding[0]!.file.split('/').at(-1));
    expect(kept[0]![side]).toHaveProperty('email');

    await expect(reading.scrub(TABLE, {})).rejects.toMatchObject({ kind: 'refused' });
    const before = comparable(await readAll(reading, TABLE));
    await reading.close();

    const taken = await open(folder, true);
    await taken.scrub(TABLE, { 'erasure-request': 'erasure-0001' });
    await taken.expire(TABLE, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' });
    await taken.sweep(TABLE, { minAgeMs: 0 });
    expect((await scan({ warehouse: taken, traces })).totals).toMatchObject({ holding: 0, notProven: 0 });

    const out = join(dir, `read-${learner}`);
    const after = await peerRead(folder, out);
    expect(after[TABLE]!.entries.filter(({ status }) => status === 2)).toEqual([]);
    const theirs = comparable(await peerRows(out, TABLE));
    expect(theirs.rows.length).toBe(4999);
    expect(theirs).toEqual(before);
    await taken.close();
  });
});
