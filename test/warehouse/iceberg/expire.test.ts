import { describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/storage/index.ts';
import { stageExpiry } from '../../../src/warehouse/iceberg/commit/expire.ts';
import { writeManifestList } from '../../../src/warehouse/iceberg/manifest/manifest-list.ts';
import { metadataOf } from '../../../src/warehouse/iceberg/metadata/metadata.ts';
import { TableReader } from '../../../src/warehouse/iceberg/read/table-reader.ts';
import type { ExpireOptions } from '../../../src/warehouse/warehouse.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;

interface Commit {
  readonly id: number;
  readonly parent?: number;
  /** Days before now. */
  readonly age: number;
}

interface Case {
  readonly commits: readonly Commit[];
  readonly main: number;
  readonly refs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly properties?: Readonly<Record<string, string>>;
}

/** Every manifest list is empty: only what is kept is of interest here. */
const storage = {
  normalize: (location: string) => location,
  read: async () =>
    writeManifestList({
      snapshotId: 1n,
      parentId: null,
      sequenceNumber: 1n,
      manifests: [],
      formatVersion: 2,
      sync: new Uint8Array(16),
    }),
} as unknown as Storage;

async function expire(
  { commits, main, refs = {}, properties = {} }: Case,
  options: Partial<ExpireOptions> = {},
) {
  const metadata = metadataOf('t', {
    'format-version': 2,
    'table-uuid': 'u',
    location: '/t',
    'last-sequence-number': 9,
    'last-updated-ms': NOW,
    'last-column-id': 1,
    'current-schema-id': 0,
    schemas: [{ type: 'struct', 'schema-id': 0, fields: [] }],
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    'last-partition-id': 999,
    'default-sort-order-id': 0,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    properties,
    'current-snapshot-id': main,
    refs: { main: { type: 'branch', 'snapshot-id': main, ...refs.main }, ...omitMain(refs) },
    snapshots: commits.map(({ id, parent, age }) => ({
      'snapshot-id': id,
      ...(parent === undefined ? {} : { 'parent-snapshot-id': parent }),
      'sequence-number': id,
      'timestamp-ms': NOW - age * DAY,
      'manifest-list': `/t/metadata/${id}.avro`,
      summary: { operation: 'append' },
    })),
  });
  const reader = new TableReader(storage, metadata);
  const staged = await stageExpiry(
    { reader, storage, now: NOW },
    { olderThan: NOW - 5 * DAY, files: 'delete', ...options },
  );
  return {
    gone: staged.snapshots.map(Number),
    files: staged.onlyExpired,
    droppedRefs: staged.updates.flatMap((update) =>
      update.action === 'remove-snapshot-ref' ? [update['ref-name']] : [],
    ),
    requirements: staged.requirements,
  };
}

function omitMain(refs: Case['refs']): object {
  return Object.fromEntries(Object.entries(refs ?? {}).filter(([name]) => name !== 'main'));
}

/** 1 to 5, one a day, the newest today; ages 40, 30, 20, 10, 0. */
const LINE: readonly Commit[] = [
  { id: 1, age: 40 },
  { id: 2, parent: 1, age: 30 },
  { id: 3, parent: 2, age: 20 },
  { id: 4, parent: 3, age: 10 },
  { id: 5, parent: 4, age: 0 },
];

describe('snapshots of main', () => {
  test('go when they are older than the instant', async () => {
    expect((await expire({ commits: LINE, main: 5 }, { olderThan: NOW - 15 * DAY })).gone).toEqual([1, 2, 3]);
  });

  test('of exactly the instant stay', async () => {
    expect((await expire({ commits: LINE, main: 5 }, { olderThan: NOW - 20 * DAY })).gone).toEqual([1, 2]);
  });

  test('all go but the head, however old that is', async () => {
    expect((await expire({ commits: LINE, main: 5 }, { olderThan: NOW + DAY })).gone).toEqual([1, 2, 3, 4]);
    expect((await expire({ commits: LINE.slice(0, 4), main: 4 }, { olderThan: NOW + DAY })).gone).toEqual([
      1, 2, 3,
    ]);
  });

  test("keep the table's least number, or the caller's", async () => {
    const properties = { 'history.expire.min-snapshots-to-keep': '3' };
    const all = { olderThan: NOW + DAY };
    expect((await expire({ commits: LINE, main: 5, properties }, all)).gone).toEqual([1, 2]);
    expect((await expire({ commits: LINE, main: 5, properties }, { ...all, minToKeep: 2 })).gone).toEqual([
      1, 2, 3,
    ]);
    expect((await expire({ commits: LINE, main: 5 }, { ...all, minToKeep: 4 })).gone).toEqual([1]);
  });

  test('keep what the branch itself says, which outranks the caller', async () => {
    const all = { olderThan: NOW + DAY, minToKeep: 1 };
    const counted = { commits: LINE, main: 5, refs: { main: { 'min-snapshots-to-keep': 2 } } };
    expect((await expire(counted, all)).gone).toEqual([1, 2, 3]);
    const aged = { commits: LINE, main: 5, refs: { main: { 'max-snapshot-age-ms': 25 * DAY } } };
    expect((await expire(aged, all)).gone).toEqual([1, 2]);
  });

  test('end at the first that is too old: one younger before it is not kept', async () => {
    const odd = [
      { id: 1, age: 1 },
      { id: 2, parent: 1, age: 50 },
      { id: 3, parent: 2, age: 0 },
    ];
    expect((await expire({ commits: odd, main: 3 })).gone).toEqual([1, 2]);
  });

  test('that a rollback left behind stay while they are young', async () => {
    const rolledBack = [...LINE, { id: 6, parent: 5, age: 1 }, { id: 7, parent: 6, age: 9 }];
    expect((await expire({ commits: rolledBack, main: 5 })).gone).toEqual([1, 2, 3, 4, 7]);
    expect((await expire({ commits: rolledBack, main: 5 }, { olderThan: NOW + 1 })).gone).toEqual([
      1, 2, 3, 4, 6, 7,
    ]);
  });
});

describe('refs', () => {
  test('a tag keeps its snapshot and none before it (hazard 17)', async () => {
    const { gone, droppedRefs } = await expire({
      commits: LINE,
      main: 5,
      refs: { q1: { type: 'tag', 'snapshot-id': 2 } },
    });
    expect(gone).toEqual([1, 3, 4]);
    expect(droppedRefs).toEqual([]);
  });

  test('a branch keeps its head and its young ancestors', async () => {
    const commits = [...LINE, { id: 6, parent: 3, age: 3 }, { id: 7, parent: 6, age: 2 }];
    const { gone } = await expire({
      commits,
      main: 5,
      refs: { audit: { type: 'branch', 'snapshot-id': 7 } },
    });
    expect(gone).toEqual([1, 2, 3, 4]);
  });

  test('a ref past its own age, or the age of the table, goes with its snapshot; main never does', async () => {
    const old = {
      q1: { type: 'tag', 'snapshot-id': 2, 'max-ref-age-ms': 10 * DAY },
      q2: { type: 'tag', 'snapshot-id': 3 },
    };
    const own = await expire({ commits: LINE, main: 5, refs: old });
    expect([own.gone, own.droppedRefs]).toEqual([[1, 2, 4], ['q1']]);
    const properties = { 'history.expire.max-ref-age-ms': String(15 * DAY) };
    const both = await expire({ commits: LINE.slice(0, 4), main: 4, refs: old, properties });
    expect([both.gone, both.droppedRefs]).toEqual([
      [1, 2, 3],
      ['q1', 'q2'],
    ]);
  });

  test('all of them are required to stand where they stood', async () => {
    const { requirements } = await expire({
      commits: LINE,
      main: 5,
      refs: { q1: { type: 'tag', 'snapshot-id': 2 } },
    });
    expect(requirements).toContainEqual({ type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': 5n });
    expect(requirements).toContainEqual({ type: 'assert-ref-snapshot-id', ref: 'q1', 'snapshot-id': 2n });
  });
});

test('files of an ended snapshot are named, those of a kept one are not', async () => {
  const { files } = await expire({ commits: LINE, main: 5 });
  expect(files).toEqual([
    '/t/metadata/1.avro',
    '/t/metadata/2.avro',
    '/t/metadata/3.avro',
    '/t/metadata/4.avro',
  ]);
});

test('parents in a circle end the walk', async () => {
  const circle = [
    { id: 1, parent: 2, age: 40 },
    { id: 2, parent: 1, age: 0 },
  ];
  expect((await expire({ commits: circle, main: 2 })).gone).toEqual([1]);
});
