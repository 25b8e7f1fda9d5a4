import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Warehouse } from '../../../src/warehouse/index.ts';
import { type CanonicalRow, rowTexts } from '../engines/canonical.ts';
import { leftovers } from '../leftovers.ts';
import { service } from '../services/index.ts';
import { matrixTable } from './document.ts';
import type { Engine, EngineName } from './engine.ts';
import { erasePerson, governanceOf, letheOn } from './erasure.ts';
import { FEATURES, type Feature, type FeatureName, PERSON } from './features.ts';
import { type Lake, makeLake } from './lake.ts';
import { LIMITS, type Limit, type Phase } from './limits.ts';
import type { Plan } from './plan.ts';
import { pyicebergOn } from './pyiceberg.ts';
import { sparkOn } from './spark.ts';
import { trinoOn } from './trino.ts';

/** A first install of everything is within it. */
const INSTALL_MS = 1_200_000;
/** Every table of a lake on an S3 server that answers one request at a time. */
const ERASURE_MS = 900_000;

/** PyIceberg first: it makes the tables of a catalog's database. */
const OPEN = { pyiceberg: pyicebergOn, spark: sparkOn, trino: trinoOn };

/**
 * What one engine writes, through one kind of catalog: Lethe erases a person from all of it, and every engine reads, looks after
 * and writes the tables afterwards.
 */
export function matrixOf(plan: Plan): void {
  const { writer, kind, storage, features, readers, keepers, view } = plan;
  const engines = {} as Record<EngineName, Engine>;
  let lake: Lake;
  let warehouse: Warehouse;
  const tableOf = (feature: FeatureName): string => `${writer}.${feature}`;
  const VIEW = `${writer}.seen`;
  const expected = new Map<FeatureName, CanonicalRow[]>(
    features.map((feature) => [feature, [...FEATURES[feature].visible]]),
  );

  beforeAll(async () => {
    // They start side by side, with the catalog of the lake.
    const starting = Promise.all(readers.map((name) => service(name)));
    lake = await makeLake(kind, `${kind}_${writer}`, storage);
    await starting;
    for (const name of ['pyiceberg', 'spark', 'trino'] as const)
      if (readers.includes(name)) engines[name] = await OPEN[name](lake);
    for (const feature of features) await engines[writer].write(feature, tableOf(feature));
    if (view) await engines.spark.view!(VIEW, tableOf('v2'));
    warehouse = await letheOn(lake);
  }, INSTALL_MS);
  afterAll(() => warehouse?.close());

  const readAll = (title: string, phase: Phase): void => {
    describe.each(readers)(`${title}, %s reads`, (reader) => {
      test.each(features)('%s', async (feature) => {
        const read = engines[reader].read(tableOf(feature));
        const limit = LIMITS[reader][feature]?.read;
        const wanted = rowTexts(expected.get(feature)!);
        if (limit === undefined || !limit.phases.includes(phase))
          expect(rowTexts(await read)).toEqual(wanted);
        else if (limit.says === null) expect(rowTexts(await read)).not.toEqual(wanted);
        else await expect(read).rejects.toThrow(limit.says);
      });
    });
  };

  const withRefs = features.flatMap((feature) => {
    const { refs }: Feature = FEATURES[feature];
    return Object.entries(refs ?? {}).map(([ref, rows]) => ({ feature, ref, rows }));
  });
  const readRefs = (title: string, what: 'there' | 'gone'): void => {
    if (withRefs.length === 0) return;
    describe.each(readers)(`${title}, %s reads of a branch and a tag`, (reader) => {
      test.each(withRefs)('$feature $ref', async ({ feature, ref, rows }) => {
        const read = engines[reader].read(tableOf(feature), ref);
        if (what === 'there') expect(rowTexts(await read)).toEqual(rowTexts(rows));
        else await expect(read).rejects.toThrow(ref);
      });
    });
  };

  const readView = (title: string): void => {
    if (view)
      test(`${title}, a view is no table, and Spark reads through it`, async () => {
        expect(await warehouse.list()).not.toContain(VIEW);
        expect(rowTexts(await engines.spark.read(VIEW))).toEqual(rowTexts(expected.get('v2')!));
      });
  };

  readAll('as written', 'written');
  readView('as written');
  readRefs('as written', 'there');
  if (withRefs.length > 0)
    test('Lethe scrubs a table, which keeps its branches and tags', async () => {
      for (const { feature } of withRefs) await warehouse.scrub(tableOf(feature), {});
    });
  readRefs('after the scrub', 'there');

  test(
    'Lethe erases the person from every table',
    async () => {
      const tables = features.map(tableOf);
      expect(Object.keys(await leftovers(lake.warehouse))).toContain('data');
      expect(await warehouse.list()).toEqual([...tables].sort());
      const refs = tables.filter((table) => table.endsWith('.refs'));
      const folder = await mkdtemp(join(inject('data'), 'job-'));
      const evidence = await erasePerson({ warehouse, governance: governanceOf(tables, refs), folder });
      expect(evidence.totals).toMatchObject({ filesHolding: 0, notProven: 0 });
      for (const rows of expected.values())
        rows.splice(0, rows.length, ...rows.filter(([, customer]) => customer !== String(PERSON.customer)));
    },
    ERASURE_MS,
  );

  test('no version of any file holds the person, say other readers than Lethe', async () => {
    expect(await leftovers(lake.warehouse)).toEqual({});
  });
  readAll('after the erasure', 'erased');
  readRefs('after the erasure', 'gone');

  describe.each(keepers)('%s looks after', (engine) => {
    test.each(features)('%s', async (feature) => {
      const done = engines[engine].maintain(tableOf(feature));
      await holdsTo(LIMITS[engine][feature]?.maintain, done);
    });
  });

  describe.each(keepers)('%s appends to', (engine) => {
    test.each(features)('%s', async (feature) => {
      const id = String(101 + readers.indexOf(engine));
      const rest = FEATURES[feature].columns.slice(3).map(() => null);
      const row = [id, `${id}0`, `person${id}@example.org`, ...rest];
      const limit = LIMITS[engine][feature]?.append;
      await holdsTo(limit, engines[engine].append(tableOf(feature), feature, row));
      if (limit === undefined) expected.get(feature)!.push(row);
    });
  });

  readAll('at the end', 'end');
  readView('at the end');

  test('and that is the matrix of docs/interop.md', () => {
    process.stdout.write(`\n${matrixTable(plan)}\n`);
  });
}

/** It works, or it says what the engine is known to say. */
async function holdsTo(limit: Limit | undefined, done: Promise<void>): Promise<void> {
  if (limit === undefined) await done;
  else await expect(done).rejects.toThrow(limit.says ?? undefined);
}
