import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOnly, eraseLearner, planForLearner } from '../../examples/erasure.ts';
import { makePlatform, type Platform } from '../../examples/platform/index.ts';
import { applyProperties } from '../../src/properties/index.ts';
import { applyRetention } from '../../src/retention/index.ts';
import { printed, printedCount } from '../support/chapter.ts';
import { type PeerEntry, type PeerTable, peerRead, peerRows } from './peer.ts';
import { comparable, readAll } from './rows.ts';

const LEARNER = 3590;

/** The smallest and the largest email as the chapter finds them in a manifest: cut to 16 characters, the last of them raised. */
const bounds = printed(
  'statistics-off-for-personal-columns',
  'default statistics, crm.learners email bounds',
).split(' to ');

let platform: Platform;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-interop-'));
  platform = await makePlatform({ dir });
});
afterAll(async () => {
  await platform.close();
  await rm(dir, { recursive: true, force: true });
});

/** Every table as PyIceberg sees it now; each has to be the one that Lethe sees, row for row. */
async function agreed(step: string): Promise<Readonly<Record<string, PeerTable>>> {
  const { warehouse } = platform;
  const out = join(dir, 'read', step);
  const peer = await peerRead(join(dir, 'warehouse'), out);
  expect(Object.keys(peer)).toEqual(await warehouse.list());
  for (const [table, seen] of Object.entries(peer)) {
    const described = await warehouse.describe(table);
    expect(seen.formatVersion, table).toBe(described.formatVersion);
    expect([...seen.snapshots].sort(), table).toEqual(described.snapshots.map(({ id }) => String(id)).sort());
    expect(seen.properties, table).toEqual(described.properties);
    const theirs = comparable(await peerRows(out, table));
    const ours = comparable(await readAll(warehouse, table));
    expect(theirs.columns, table).toEqual(ours.columns);
    expect(theirs.rows.length, table).toBe(described.rows);
    // Compared as one text, so that a difference does not print 100,000 rows.
    expect(theirs.rows.join('\n') === ours.rows.join('\n'), `${table}: the same rows`).toBe(true);
  }
  return peer;
}

/** The entries that keep a bound of one of these columns. */
const bounded = (entries: readonly PeerEntry[], columns: readonly string[]): readonly PeerEntry[] =>
  entries.filter(({ lower, upper }) => columns.some((column) => column in lower || column in upper));

const learners = (peer: Readonly<Record<string, PeerTable>>): readonly PeerEntry[] =>
  peer['crm.learners']!.entries;

describe('PyIceberg reads row for row what Lethe wrote', () => {
  test('the platform, with the bounds of the emails that the chapter prints', async () => {
    const [entry] = learners(await agreed('made'));
    expect([entry!.lower.email, entry!.upper.email]).toEqual(bounds);
  });

  test('after the retention rules', async () => {
    const { warehouse, governance } = platform;
    await applyRetention({ warehouse, governance, day: '2026-10-01' });
    await agreed('retention');
  });

  test('after the deletes of an erasure: no entry of a deleted file keeps a bound', async () => {
    const bound = await planForLearner(platform, LEARNER);
    await deleteOnly(bound, platform, 'erasure-0001');
    const peer = await agreed('deleted');
    const deleted = Object.values(peer).flatMap(({ entries }) =>
      entries.filter(({ status }) => status === 2),
    );
    expect(deleted.length).toBeGreaterThan(0);
    expect(deleted.filter(({ lower, upper }) => Object.keys({ ...lower, ...upper }).length > 0)).toEqual([]);
  });

  test('after expiry and the sweep', async () => {
    const { warehouse } = platform;
    for (const table of await warehouse.list()) {
      await warehouse.expire(table, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' });
      await warehouse.sweep(table, { minAgeMs: 0 });
    }
    const peer = await agreed('swept');
    expect(Object.values(peer).filter(({ snapshots }) => snapshots.length !== 1)).toEqual([]);
    // The delete rewrote the file with default statistics, so the next learner's email is the smallest now.
    expect(JSON.stringify(learners(peer))).not.toContain(bounds[0]);
  });

  test('after the generated properties: nothing is left of any personal column', async () => {
    const { warehouse, governance } = platform;
    await applyProperties({ warehouse, governance, minAgeMs: 0 });
    const peer = await agreed('properties');
    const personal = [...governance.metadata.get('crm.learners')!.columns]
      .filter(([, { classification }]) => classification === 'personal')
      .map(([name]) => name);
    expect(personal).toHaveLength(
      printedCount(
        'statistics-off-for-personal-columns',
        'default statistics, crm.learners personal columns',
      ),
    );
    expect(bounded(learners(peer), personal)).toEqual([]);
    expect(bounded(learners(peer), ['learner_id']).length).toBeGreaterThan(0);
  });

  test('after the nightly pipelines built their tables again', async () => {
    await platform.run('learner_activity');
    await platform.run('marketing_audience');
    await agreed('rebuilt');
  });

  test('after a whole erasure job, of the learner whose email sorts last', async () => {
    const evidence = await eraseLearner(platform, { learner: 4998, request: 'erasure-0002' });
    expect(evidence.totals).toMatchObject({ filesHolding: 0, notProven: 0 });
    const peer = await agreed('erased');
    expect(Object.values(peer).filter(({ snapshots }) => snapshots.length !== 1)).toEqual([]);
    expect(JSON.stringify(peer)).not.toContain(bounds[1]!.slice(0, -1));
  });
});
