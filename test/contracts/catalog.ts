import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Catalog } from '../../src/warehouse/catalog.ts';
import { newTable } from '../../src/warehouse/iceberg/metadata/create.ts';
import type { TableMetadata } from '../../src/warehouse/iceberg/metadata/metadata.ts';
import { seededRandom } from '../support/lake.ts';

/** An empty catalog; `another` opens the same one again, as another process would. */
export interface CatalogUnderTest {
  readonly catalog: Catalog;
  another(): Promise<Catalog>;
  close(): Promise<void>;
}

const random = seededRandom(1);

/** A table's properties without those that a service gives every table. */
function own({ properties }: TableMetadata): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith('write.')));
}

/** What every catalog promises. */
export function catalogContract(name: string, open: () => Promise<CatalogUnderTest>): void {
  describe(`${name} as a catalog`, () => {
    let at: CatalogUnderTest;
    beforeEach(async () => {
      at = await open();
    });
    afterEach(() => at.close());

    const empty = async (table: string): Promise<TableMetadata> =>
      newTable({
        table,
        definition: { columns: [{ name: 'id', type: 'long' }] },
        location: (await at.catalog.defaultLocation(table)) ?? '',
        now: 1_700_000_000_000,
        random,
      });
    const set = (key: string, value: string) => ({
      requirements: [],
      updates: [{ action: 'set-properties' as const, updates: { [key]: value } }],
    });

    test('lists what was created, by name, and loads it as it was', async () => {
      const made = await empty('support.tickets');
      const created = await at.catalog.create('support.tickets', made);
      await at.catalog.create('crm.learners', await empty('crm.learners'));
      await at.catalog.create('a.b.c', await empty('a.b.c'));
      const again = await at.another();
      expect((await again.list()).map(({ table }) => table)).toEqual([
        'a.b.c',
        'crm.learners',
        'support.tickets',
      ]);
      const loaded = await again.load('support.tickets');
      expect(loaded).toMatchObject({ table: 'support.tickets', refusal: null });
      expect(loaded.metadata.uuid).toBe(created.metadata.uuid);
      expect(loaded.metadata.schema.fields).toEqual(made.schema.fields);
    });

    test('names the table that is not there, and a near one', async () => {
      await at.catalog.create('crm.learners', await empty('crm.learners'));
      const missing = {
        kind: 'input',
        code: 'warehouse/no-such-table',
        data: { table: 'CRM.learners', near: ['crm.learners'] },
      };
      await expect(at.catalog.load('CRM.learners')).rejects.toMatchObject(missing);
      await expect(at.catalog.drop('no.table')).rejects.toMatchObject({ code: 'warehouse/no-such-table' });
      await expect(at.catalog.commit('no.table', set('a', 'b'))).rejects.toMatchObject({
        code: 'warehouse/no-such-table',
      });
    });

    test('makes a name once, whoever asks at the same time', async () => {
      const made = await Promise.all(Array.from({ length: 8 }, () => empty('crm.learners')));
      const catalogs = await Promise.all(made.map(() => at.another()));
      const ends = await Promise.allSettled(
        made.map((metadata, index) => catalogs[index]!.create('crm.learners', metadata)),
      );
      const winners = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
      expect(winners).toHaveLength(1);
      for (const end of ends) {
        if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'warehouse/table-exists' });
      }
      expect((await at.catalog.load('crm.learners')).metadata.uuid).toBe(winners[0]?.metadata.uuid);
    });

    test('loses no commit of many at the same time', async () => {
      await at.catalog.create('crm.learners', await empty('crm.learners'));
      const catalogs = await Promise.all(Array.from({ length: 12 }, () => at.another()));
      await Promise.all(
        catalogs.map((catalog, index) => catalog.commit('crm.learners', set(`k${index}`, 'v'))),
      );
      const { metadata } = await (await at.another()).load('crm.learners');
      expect(Object.keys(own(metadata)).sort()).toEqual(catalogs.map((_, index) => `k${index}`).sort());
      expect(metadata.metadataLog).toHaveLength(12);
      expect(new Set(metadata.metadataLog.map(({ file }) => file)).size).toBe(12);
    });

    test('commits only where the requirements hold on the newest state', async () => {
      await at.catalog.create('crm.learners', await empty('crm.learners'));
      const stale = await at.another();
      await stale.load('crm.learners');
      const { metadata } = await at.catalog.commit('crm.learners', set('a', '1'));
      const requirement = { type: 'assert-table-uuid' as const, uuid: metadata.uuid };
      await stale.commit('crm.learners', { ...set('b', '2'), requirements: [requirement] });
      const wrong = { ...set('c', '3'), requirements: [{ ...requirement, uuid: 'another' }] };
      await expect(stale.commit('crm.learners', wrong)).rejects.toMatchObject({ code: 'catalog/conflict' });
      expect(own((await at.catalog.load('crm.learners')).metadata)).toEqual({ a: '1', b: '2' });
    });

    test('loads what another process made of a table since: a commit, then one of its name made again', async () => {
      const { uuid } = (await at.catalog.create('crm.learners', await empty('crm.learners'))).metadata;
      expect((await at.catalog.load('crm.learners')).metadata.uuid).toBe(uuid);
      const other = await at.another();
      await other.commit('crm.learners', set('a', '1'));
      expect(own((await at.catalog.load('crm.learners')).metadata)).toEqual({ a: '1' });
      await other.drop('crm.learners');
      const again = await other.create('crm.learners', await empty('crm.learners'));
      await other.commit('crm.learners', set('a', '2'));
      const { metadata } = await at.catalog.load('crm.learners');
      expect(metadata.uuid).toBe(again.metadata.uuid);
      expect(metadata.uuid).not.toBe(uuid);
      expect(own(metadata)).toEqual({ a: '2' });
    });

    test('forgets a table, whose name is free again then', async () => {
      await at.catalog.create('crm.learners', await empty('crm.learners'));
      await at.catalog.commit('crm.learners', set('a', '1'));
      const other = await at.another();
      await other.load('crm.learners');
      await at.catalog.drop('crm.learners');
      expect(await at.catalog.list()).toEqual([]);
      await expect(other.load('crm.learners')).rejects.toMatchObject({ code: 'warehouse/no-such-table' });
      await at.catalog.create('crm.learners', await empty('crm.learners'));
      expect(own((await other.load('crm.learners')).metadata)).toEqual({});
    });

    test.each(['', 'a..b', 'a/b', '../a', 'a.\0', 'crm.metadata'])(
      '%j is no name of a table',
      async (table) => {
        await expect(at.catalog.defaultLocation(table)).rejects.toMatchObject({
          kind: 'input',
          code: 'warehouse/table-name',
        });
      },
    );
  });
}
