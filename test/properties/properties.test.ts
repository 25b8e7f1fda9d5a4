import { expect, test } from 'vitest';
import type { Classification, ColumnMetadata } from '../../src/governance/governance.ts';
import { applyProperties, missingProperties, tableProperties } from '../../src/properties/index.ts';
import { chapter } from '../support/chapter.ts';
import { type FakeTable, FakeWarehouse } from '../support/fake-warehouse.ts';
import { governanceOf } from '../support/governance-of.ts';

const at = { file: 'test', line: 1, column: 1 };

function classified(table: string, columns: Readonly<Record<string, Classification>>) {
  const entries = Object.entries(columns).map(([name, classification]): [string, ColumnMetadata] => [
    name,
    { classification, at },
  ]);
  return { metadata: new Map([[table, { table, key: [], columns: new Map(entries), at }]]) };
}

/** crm.learners as chapter 2 classifies it. */
const learners = {
  learner_id: 'internal',
  full_name: 'personal',
  email: 'personal',
  phone: 'personal',
  street_address: 'personal',
  city: 'personal',
  country: 'internal',
  date_of_birth: 'personal',
  status: 'internal',
  notes: 'personal',
} as const;

const strings = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'string']));

test("P1: the chapter's nine properties of crm.learners come out exactly", async () => {
  const warehouse = new FakeWarehouse({
    'crm.learners': { columns: strings(Object.keys(learners)), rows: [] },
  });
  const properties = tableProperties(
    governanceOf(classified('crm.learners', learners)),
    await warehouse.describe('crm.learners'),
  );
  const printed = [...chapter('statistics-off-for-personal-columns')].filter(([label]) =>
    /^(history|write)\./.test(label),
  );
  expect(printed).toHaveLength(9);
  expect(properties).toEqual(Object.fromEntries(printed));
});

test('P1: what nobody classified fails closed, nested columns go by full name, and structs have no statistics', async () => {
  const table: FakeTable = {
    columns: {
      id: 'long',
      home: 'struct',
      'home.street': 'string',
      'home.country': 'string',
      tags: 'list',
      'tags.element': 'string',
    },
    rows: [],
  };
  const warehouse = new FakeWarehouse({ t: table });
  const governance = governanceOf({
    ...classified('t', { id: 'public', home: 'personal', 'home.country': 'internal' }),
    statistics: { personal: 'counts', sensitive: 'none', unclassified: 'truncate(4)' },
    snapshots: { maxAgeDays: 1, minToKeep: 2, metadataVersionsToKeep: 20 },
  });
  expect(tableProperties(governance, await warehouse.describe('t'))).toEqual({
    'history.expire.max-snapshot-age-ms': '86400000',
    'history.expire.min-snapshots-to-keep': '2',
    'write.metadata.delete-after-commit.enabled': 'true',
    'write.metadata.previous-versions-max': '20',
    'write.metadata.metrics.column.home.street': 'counts',
    'write.metadata.metrics.column.tags.element': 'truncate(4)',
  });
});

test('P2: applying sets what differs, scrubs, expires and sweeps; again, it changes nothing', async () => {
  const warehouse = new FakeWarehouse({ t: { columns: { email: 'string' }, rows: [] } });
  warehouse.load('t', []);
  const governance = governanceOf();
  expect(
    (await missingProperties({ warehouse: warehouse.port, governance })).get('t')?.missing,
  ).toHaveProperty(['write.metadata.metrics.column.email']);
  const [first] = await applyProperties({ warehouse: warehouse.port, governance });
  expect(first).toMatchObject({ table: 't', boundsDropped: 1, snapshotsExpired: 2, left: [] });
  expect(warehouse.calls).toEqual(['set t', 'scrub t', 'expire t 2', 'sweep t']);
  expect((await missingProperties({ warehouse: warehouse.port, governance })).get('t')?.missing).toEqual({});
  const [again] = await applyProperties({ warehouse: warehouse.port, governance });
  expect(again).toMatchObject({ set: {}, boundsDropped: 0, snapshotsExpired: 0 });
});

test('P2: a run that was cut off after the scrub is finished by the next', async () => {
  const warehouse = new FakeWarehouse({ t: { columns: { email: 'string' }, rows: [] } });
  const governance = governanceOf();
  await warehouse.setProperties('t', tableProperties(governance, await warehouse.describe('t')));
  await warehouse.scrub('t', { 'lethe-properties': 'applied' });
  const [applied] = await applyProperties({ warehouse: warehouse.port, governance });
  expect(applied).toMatchObject({ set: {}, boundsDropped: 0, snapshotsExpired: 1 });
});

test('P2: a table whose owner keeps its history keeps it, and the result says why', async () => {
  const refusal = { code: 'gc-disabled', reason: 'gc.enabled=false', remedy: 'Ask its owner' };
  const warehouse = new FakeWarehouse({ t: { columns: { email: 'string' }, rows: [], refusals: [refusal] } });
  const [applied] = await applyProperties({ warehouse: warehouse.port, governance: governanceOf() });
  expect(applied).toMatchObject({ snapshotsExpired: 0, left: [refusal] });
  expect(warehouse.calls).toEqual(['set t', 'scrub t']);
});

test('P2: a table of another catalog is not touched', async () => {
  const refusal = { code: 'foreign-catalog', reason: 'NNNNN-uuid names', remedy: 'take_over' };
  const warehouse = new FakeWarehouse({ t: { columns: { email: 'string' }, rows: [], refusals: [refusal] } });
  const [applied] = await applyProperties({ warehouse: warehouse.port, governance: governanceOf() });
  expect(applied).toMatchObject({ set: {}, left: [refusal] });
  expect(warehouse.calls).toEqual([]);
});

test.each([Number.NaN, -1, 0.5])('%s ms is no age: no table is touched for it', async (minAgeMs) => {
  const warehouse = new FakeWarehouse({ 'crm.learners': { columns: { email: 'string' }, rows: [] } });
  const governance = governanceOf();
  await expect(applyProperties({ warehouse: warehouse.port, governance, minAgeMs })).rejects.toMatchObject({
    code: 'governance/min-age',
    kind: 'input',
  });
  expect((await warehouse.describe('crm.learners')).properties).toEqual({});
});
