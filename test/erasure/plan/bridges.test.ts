import { expect, test } from 'vitest';
import type { JobRun } from '../../support/openlineage.ts';
import { planOf, stepOf, told } from './support.ts';

const ORDERS = {
  'crm.people': 'person_id name:string',
  'shop.orders': 'order_id person_id product_id',
  'shop.parcels': 'parcel_id order_ref address:string',
  'shop.scans': 'scan_id parcel_ref place:string',
  'shop.photos': 'photo_id scan_ref image:binary',
  'shop.tags': 'tag_id photo_ref text:string',
};
const KEYS = `
[tables."shop.orders"]
key = ["order_id"]
[tables."shop.parcels"]
key = ["parcel_id"]
[tables."shop.scans"]
key = ["scan_id"]
[tables."shop.photos"]
key = ["photo_id"]
`;
const bridges: JobRun[] = [
  {
    job: 'p',
    output: 'shop.parcels',
    columns: {
      parcel_id: [],
      order_ref: ['shop.orders.order_id'],
      address: [['shop.orders.product_id', 'TRANSFORMATION']],
    },
  },
  {
    job: 's',
    output: 'shop.scans',
    columns: { scan_id: [], parcel_ref: ['shop.parcels.parcel_id'], place: ['shop.parcels.address'] },
  },
  {
    job: 'f',
    output: 'shop.photos',
    columns: {
      photo_id: [],
      scan_ref: ['shop.scans.scan_id'],
      image: [['shop.scans.place', 'TRANSFORMATION']],
    },
  },
  {
    job: 't',
    output: 'shop.tags',
    columns: {
      tag_id: [],
      photo_ref: ['shop.photos.photo_id'],
      text: [['shop.photos.image', 'TRANSFORMATION']],
    },
  },
];

test('L5b: an exact copy of the declared key of a row that holds the person is a key, three deep and no deeper', async () => {
  const { steps } = await planOf({
    tables: ORDERS,
    runs: bridges,
    metadata: KEYS,
    sources: ['crm.*', 'shop.orders'],
  });
  expect(Object.fromEntries(steps.map((step) => [step.table, told(step)]))).toEqual({
    'crm.people': 'delete by person_id',
    'shop.orders': 'delete by person_id',
    'shop.parcels': 'delete by order_ref = shop.orders.order_id via shop.orders',
    'shop.scans': 'delete by parcel_ref = shop.parcels.parcel_id via shop.parcels',
    'shop.photos': 'delete by scan_ref = shop.scans.scan_id via shop.scans',
    'shop.tags': 'review uncovered-source, no-rebuild',
  });
});

test('L6: a column that is merely copied never becomes a key', async () => {
  const run: JobRun = {
    job: 'j',
    output: 'mart.t',
    columns: { product_id: ['shop.orders.product_id'], order: ['shop.orders.order_id'] },
  };
  const tables = { ...ORDERS, 'mart.t': 'product_id order' };
  const sources = Object.keys(ORDERS);
  expect(await stepOf({ tables, runs: [run], sources }, 'mart.t')).toBe(
    'review uncovered-source, no-rebuild',
  );
  expect(await stepOf({ tables, runs: [run], sources, metadata: KEYS }, 'mart.t')).toBe(
    'delete by order = shop.orders.order_id via shop.orders',
  );
});

test('L5c: composite ids have several columns, all from one row', async () => {
  const subject = `
[erasure.subjects.person]
id_type = "text"
id_columns = [["tenant", "user"]]
identifying = []
`;
  const tables = { 'app.a': 'tenant user x', 'app.b': 'tenant user x', 'mart.t': 't u x' };
  const run = (t: string, u: string): JobRun => ({
    job: 'j',
    output: 'mart.t',
    columns: { t: [`${t}.tenant`], u: [`${u}.user`], x: ['app.a.x'] },
    rows: [
      ['app.a.tenant', 'JOIN'],
      ['app.a.user', 'JOIN'],
      ['app.b.tenant', 'JOIN'],
      ['app.b.user', 'JOIN'],
    ],
  });
  const { steps } = await planOf({ tables, runs: [run('app.a', 'app.a')], subject });
  expect(steps.map(told)).toEqual([
    'delete by tenant+user',
    'delete by tenant+user',
    'delete by t+u = app.a.tenant,app.a.user',
  ]);
  expect(steps[2]).toMatchObject({ column: 't,u', copyOf: 'app.a.tenant,app.a.user' });
  // A tenant from one row and a user from another name nobody.
  expect(await stepOf({ tables, runs: [run('app.b', 'app.a')], subject }, 'mart.t')).toMatch(/^review/);
  // One part alone is no id.
  expect(await stepOf({ tables: { ...tables, 'app.c': 'tenant' }, subject }, 'app.c')).toBe('absent');
});

test('L5c: one key has to find all rows; beside another it could be a constant, and then name somebody else', async () => {
  const step = (runs: readonly JobRun[], columns = 'person order') =>
    stepOf(
      { tables: { ...ORDERS, 'mart.t': columns }, runs, metadata: KEYS, sources: Object.keys(ORDERS) },
      'mart.t',
    );
  const orders: JobRun = {
    job: 'orders',
    output: 'mart.t',
    columns: { person: ['shop.orders.person_id'], order: ['shop.orders.order_id'] },
  };
  expect(await step([orders])).toBe('delete by person = shop.orders.person_id');
  // SELECT 3 AS person, order_id FROM shop.orders: true edges, and every row of it names person 3. The other key finds them all.
  const constant: JobRun = { job: 'more', output: 'mart.t', columns: { order: ['shop.orders.order_id'] } };
  expect(await step([orders, constant])).toBe('delete by order = shop.orders.order_id via shop.orders');
  // Here it does not: of what comes from crm.people only the other key is known.
  const union: JobRun = {
    ...constant,
    columns: {
      person: ['crm.people.person_id'],
      order: ['shop.orders.order_id'],
      text: ['crm.people.name', 'shop.orders.product_id'],
    },
  };
  expect(await step([union], 'person order text:string')).toBe('review uncovered-source, no-rebuild');
});
