import { describe, expect, test } from 'vitest';
import { scan, type Traces } from '../../src/scan/index.ts';
import type { Warehouse } from '../../src/warehouse/index.ts';
import { rowTexts } from './engines/canonical.ts';
import { openSpark } from './engines/spark.ts';
import { openTrino } from './engines/trino.ts';
import { type Leftovers, leftovers } from './leftovers.ts';
import type { Engine } from './matrix/engine.ts';
import { letheOn, tracesIn } from './matrix/erasure.ts';
import { FEATURES, PERSON } from './matrix/features.ts';
import { type Lake, makeLake, type StorageKind } from './matrix/lake.ts';
import { pyicebergOn } from './matrix/pyiceberg.ts';
import { sparkOn } from './matrix/spark.ts';
import { SPARK, TRINO, valuesOf } from './matrix/sql.ts';
import { trinoOn } from './matrix/trino.ts';

/** A first install of everything is within it. */
const INSTALL_MS = 1_200_000;

const { columns, written } = FEATURES.v2;
const types = columns.map(([, type]) => type);

/** Kinds of place in which a scan finds the person, with the number of files. */
type Left = Readonly<Record<string, number>>;

/** A statement of an engine, and what is left of the person after it. */
type Step = readonly [statement: string, left: Left];

interface Sequence {
  readonly storage: StorageKind;
  /** What the table is made with, beside its columns. */
  readonly partitioned: boolean;
  readonly steps: readonly Step[];
  /** How many deleted entries of data files stand in the table's manifests afterwards. */
  readonly deleted: number;
}

/** Lethe's scan names the same files, for the same kinds of place, as readers that are not Lethe's; this is how many. */
async function leftIn(lake: Lake, warehouse: Warehouse, traces: Traces): Promise<Left> {
  const { tables, totals } = await scan({ warehouse, traces });
  expect(totals.notProven).toBe(0);
  const files = new Map<string, Set<string>>();
  for (const { file, kind } of tables.flatMap(({ found }) => found))
    files.set(kind, (files.get(kind) ?? new Set()).add(file));
  const scanned = Object.fromEntries([...files].map(([kind, names]) => [kind, [...names].sort()]));
  const outside = masked(await leftovers(lake.warehouse));
  expect(scanned).toEqual(outside);
  return Object.fromEntries(Object.entries(outside).map(([kind, { length }]) => [kind, length]));
}

/** The scan shows no value of the person in a path. */
function masked(found: Leftovers): Leftovers {
  const mask = (name: string): string => name.replaceAll(`customer=${PERSON.customer}`, 'customer=***');
  return Object.fromEntries(Object.entries(found).map(([kind, names]) => [kind, names.map(mask).sort()]));
}

/** Runs an engine's steps, then Lethe's; the engine goes on working afterwards. */
async function follow(options: {
  readonly lake: Lake;
  readonly engine: Engine;
  readonly run: (statement: string) => Promise<unknown>;
  /** How many deleted entries of data files the engine itself sees in the table's manifests. */
  readonly deletedEntries: () => Promise<number>;
  readonly table: string;
  readonly sequence: Sequence;
}): Promise<void> {
  const { lake, engine, run, deletedEntries, table, sequence } = options;
  const { steps, deleted } = sequence;
  const warehouse = await letheOn(lake);
  const traces = await tracesIn(warehouse, table);
  const seen: Step[] = [];
  for (const [statement] of steps) {
    await run(statement);
    seen.push([statement, await leftIn(lake, warehouse, traces)]);
  }
  expect(seen).toEqual(steps);
  expect(await deletedEntries()).toBe(deleted);

  await warehouse.scrub(table, {});
  await warehouse.expire(table, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' });
  await warehouse.sweep(table, { minAgeMs: 0 });
  await warehouse.purgeVersions(table, { minAgeMs: 0 });
  expect(await leftIn(lake, warehouse, traces)).toEqual({});
  expect(await deletedEntries()).toBe(0);
  await warehouse.close();

  const kept = written.filter(([, customer]) => customer !== String(PERSON.customer));
  expect(rowTexts(await engine.read(table))).toEqual(rowTexts(kept));
  await engine.maintain(table);
  await engine.append(table, 'v2', written[0]!);
  expect(rowTexts(await engine.read(table))).toEqual(rowTexts([...kept, written[0]!]));
}

const SPARK_SEQUENCES: Readonly<Record<string, Sequence>> = {
  'the one manifest of a table, which rewrite_manifests leaves as it is': {
    storage: 's3-without-versions',
    partitioned: true,
    deleted: 1,
    steps: [
      ['DELETE FROM $FULL WHERE customer = 30', { bound: 2, data: 1, footer: 1, partition: 2, path: 3 }],
      [
        "CALL $CATALOG.system.rewrite_data_files(table => '$TABLE')",
        { bound: 2, data: 1, footer: 1, partition: 2, path: 3 },
      ],
      [
        "CALL $CATALOG.system.rewrite_manifests(table => '$TABLE')",
        { bound: 2, data: 1, footer: 1, partition: 2, path: 3 },
      ],
      [
        "CALL $CATALOG.system.expire_snapshots(table => '$TABLE', older_than => current_timestamp())",
        { bound: 1, partition: 1, path: 1 },
      ],
      ['remove orphans', { bound: 1, partition: 1, path: 1 }],
    ],
  },
  'old versions of a bucket, after all of its maintenance': {
    storage: 's3',
    partitioned: false,
    deleted: 0,
    steps: [
      ['DELETE FROM $FULL WHERE customer = 30', { bound: 2, data: 2, footer: 2 }],
      [
        "CALL $CATALOG.system.rewrite_data_files(table => '$TABLE', options => map('rewrite-all', 'true'))",
        { bound: 2, data: 2, footer: 2 },
      ],
      ["CALL $CATALOG.system.rewrite_manifests(table => '$TABLE')", { bound: 2, data: 2, footer: 2 }],
      [
        "CALL $CATALOG.system.expire_snapshots(table => '$TABLE', older_than => current_timestamp())",
        { bound: 2, data: 2, footer: 2 },
      ],
      ['remove orphans', { bound: 2, data: 2, footer: 2 }],
    ],
  },
};

describe('Spark leaves', () => {
  test.each(Object.entries(SPARK_SEQUENCES))(
    '%s',
    async (_, sequence) => {
      const { storage, partitioned } = sequence;
      const lake = await makeLake('sql', 'leaves_spark', storage);
      await pyicebergOn(lake);
      const engine = await sparkOn(lake);
      const spark = await openSpark();
      const [table, full] = ['leaves.people', `${lake.name}.leaves.people`];
      const list = columns.map(([name, type]) => `${name} ${SPARK.types[type]}`).join(', ');
      const partition = partitioned ? 'PARTITIONED BY (customer)' : '';
      await spark.sql(`CREATE NAMESPACE ${lake.name}.leaves`);
      await spark.sql(`CREATE TABLE ${full} (${list}) USING iceberg ${partition}`);
      await spark.sql(`INSERT INTO ${full} ${valuesOf(SPARK, types, written)}`);
      const run = (statement: string): Promise<unknown> =>
        statement === 'remove orphans'
          ? spark.removeOrphans(full, Date.now())
          : spark.sql(
              statement.replace('$FULL', full).replace('$CATALOG', lake.name).replace('$TABLE', table),
            );
      const entries = `SELECT count(*) FROM ${full}.entries WHERE status = 2 AND data_file.content = 0`;
      const deletedEntries = async (): Promise<number> => Number((await spark.sql(entries))[0]![0]);
      await follow({ lake, engine, run, deletedEntries, table, sequence });
    },
    INSTALL_MS,
  );
});

const TRINO_SEQUENCES: Readonly<Record<string, Sequence>> = {
  'bounds of deleted entries and sketches, after optimize, expiry and the sweep': {
    storage: 's3-without-versions',
    partitioned: false,
    deleted: 1,
    steps: [
      ['DELETE FROM $FULL WHERE customer = 30', { bound: 1, data: 1, footer: 1, statistics: 1 }],
      ['ALTER TABLE $FULL EXECUTE optimize', { bound: 2, data: 1, footer: 1, statistics: 2 }],
      [
        "ALTER TABLE $FULL EXECUTE expire_snapshots(retention_threshold => '0s')",
        { bound: 1, data: 1, footer: 1, statistics: 1 },
      ],
      [
        "ALTER TABLE $FULL EXECUTE remove_orphan_files(retention_threshold => '0s')",
        { bound: 1, statistics: 1 },
      ],
    ],
  },
  'the one manifest of a table, which optimize_manifests leaves as it is': {
    storage: 's3-without-versions',
    partitioned: true,
    deleted: 1,
    steps: [
      [
        'DELETE FROM $FULL WHERE customer = 30',
        { bound: 2, data: 1, footer: 1, partition: 2, path: 3, statistics: 1 },
      ],
      [
        'ALTER TABLE $FULL EXECUTE optimize',
        { bound: 2, data: 1, footer: 1, partition: 2, path: 3, statistics: 1 },
      ],
      [
        'ALTER TABLE $FULL EXECUTE optimize_manifests',
        { bound: 2, data: 1, footer: 1, partition: 2, path: 3, statistics: 1 },
      ],
      [
        'ALTER TABLE $FULL EXECUTE drop_extended_stats',
        { bound: 2, data: 1, footer: 1, partition: 2, path: 3, statistics: 1 },
      ],
      [
        "ALTER TABLE $FULL EXECUTE expire_snapshots(retention_threshold => '0s')",
        { bound: 1, data: 1, footer: 1, partition: 1, path: 2, statistics: 1 },
      ],
      [
        "ALTER TABLE $FULL EXECUTE remove_orphan_files(retention_threshold => '0s')",
        { bound: 1, partition: 1, path: 1 },
      ],
    ],
  },
};

describe('Trino leaves', () => {
  test.each(Object.entries(TRINO_SEQUENCES))(
    '%s',
    async (_, sequence) => {
      const { storage, partitioned } = sequence;
      const lake = await makeLake('sql', 'leaves_trino', storage);
      await pyicebergOn(lake);
      const engine = await trinoOn(lake);
      const trino = await openTrino();
      const [table, full] = ['leaves.people', `${lake.name}.leaves.people`];
      const list = columns.map(([name, type]) => `${name} ${TRINO.types[type]}`).join(', ');
      const partition = partitioned ? "WITH (partitioning = ARRAY['customer'])" : '';
      await trino.sql(`CREATE SCHEMA ${lake.name}.leaves`);
      await trino.sql(`CREATE TABLE ${full} (${list}) ${partition}`);
      await trino.sql(`INSERT INTO ${full} ${valuesOf(TRINO, types, written)}`);
      const run = (statement: string): Promise<unknown> => trino.sql(statement.replace('$FULL', full));
      const entries = `SELECT count(*) FROM ${lake.name}.leaves."people$entries" WHERE status = 2 AND data_file.content = 0`;
      const deletedEntries = async (): Promise<number> => Number((await trino.sql(entries))[0]![0]);
      await follow({ lake, engine, run, deletedEntries, table, sequence });
    },
    INSTALL_MS,
  );
});
