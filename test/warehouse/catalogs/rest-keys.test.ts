import { afterEach, describe, expect, test } from 'vitest';
import { HandedOut } from '../../../src/warehouse/catalogs/vended.ts';
import { newTable } from '../../../src/warehouse/iceberg/metadata/create.ts';
import { seededRandom } from '../../support/lake.ts';
import type { StubOptions } from '../../support/rest-catalog.ts';
import { type RestAtHand, restAtHand } from './rest-under-test.ts';

let at: RestAtHand;
async function start(options: Partial<StubOptions> = {}): Promise<void> {
  at = await restAtHand(options);
}
afterEach(() => at.close());

describe('handed-out keys', () => {
  const keys = (id: string, expires: number) => ({
    's3.access-key-id': id,
    's3.secret-access-key': `secret of ${id}`,
    's3.session-token': `session of ${id}`,
    's3.session-token-expires-at-ms': String(expires),
  });

  test('are kept by the longest prefix, over what holds for the whole catalog', async () => {
    const ends = 1_700_000_000_000 + 3_600_000;
    await start({
      config: { overrides: { 's3.endpoint': 'http://s3.example', 's3.path-style-access': 'true' } },
      vended: (table) => ({
        config: { 'client.region': 'eu-central-1', ...keys(`table-${table}`, ends) },
        'storage-credentials': [{ prefix: 's3://lake/wh/a/t/data', config: keys('data', ends) }],
      }),
    });
    const catalog = await at.open();
    const definition = { columns: [{ name: 'id', type: 'long' }] };
    const location = 's3://lake/wh/a/t';
    const storageless = newTable({ table: 'a.t', definition, location, now: 1, random: seededRandom(2) });
    await catalog.create('a.t', storageless).catch(() => {});
    const access = (place: string) => at.handedOut.accessOf(place, { renew: false });
    expect(await access('s3a://lake/wh/a/t/metadata/x.json')).toEqual({
      region: 'eu-central-1',
      endpoint: 'http://s3.example',
      pathStyle: true,
      credentials: {
        accessKeyId: 'table-t',
        secretAccessKey: 'secret of table-t',
        sessionToken: 'session of table-t',
        expires: ends,
      },
    });
    expect(await access('s3://lake/wh/a/t/data/f.parquet')).toMatchObject({
      credentials: { accessKeyId: 'data' },
    });
    expect(await access('s3://lake/wh/other')).toBeNull();
  });

  test('are wanted: a catalog that would sign each request for a file itself is refused by name', async () => {
    const signs = { 's3.remote-signing-enabled': 'true', 's3.signer.uri': 'https://signer.example' };
    let keyed = true;
    await start({ vended: () => ({ config: { ...signs, ...(keyed ? keys('a-key', 1) : {}) } }) });
    const catalog = await at.open();
    const definition = { columns: [{ name: 'id', type: 'long' }] };
    const random = seededRandom(2);
    await catalog.create('a.t', newTable({ table: 'a.t', definition, location: '', now: 1, random }));
    keyed = false;
    await expect(catalog.load('a.t')).rejects.toMatchObject({ kind: 'refused', code: 'catalog/unsupported' });
  });

  test('of one table are not taken for those of another, and short-lived ones are not asked for every time', async () => {
    let given = 0;
    const kept = new HandedOut({ now: () => at.clock.now() });
    await start();
    const minutes = 60_000;
    const giver = (table: string) => async () => {
      given += 1;
      const ends = at.clock.now() + 4 * minutes;
      return [{ prefix: `s3://lake/${table}`, config: keys(`${table}-${given}`, ends) }];
    };
    for (const table of ['a', 'b']) kept.learn(await giver(table)(), giver(table));
    const key = async (table: string, renew = false) => {
      const access = await kept.accessOf(`s3://lake/${table}/f`, { renew });
      return (access as { credentials: { accessKeyId: string } }).credentials.accessKeyId;
    };
    at.clock.at += 3 * minutes;
    expect([await key('a'), await key('b')]).toEqual(['a-1', 'b-2']);
    at.clock.at += minutes;
    expect(await Promise.all([key('a'), key('b'), key('a', true)])).toEqual(['a-3', 'b-4', 'a-3']);
  });

  test('are asked for again before they end, and when they are not taken', async () => {
    let given = 0;
    await start({
      vended: () => {
        given += 1;
        const ends = at.clock.now() + 3_600_000;
        return { 'storage-credentials': [{ prefix: 's3://lake/wh', config: keys(`key-${given}`, ends) }] };
      },
    });
    const catalog = await at.open();
    const definition = { columns: [{ name: 'id', type: 'long' }] };
    await catalog.create(
      'a.t',
      newTable({ table: 'a.t', definition, location: '', now: 1, random: seededRandom(3) }),
    );
    const key = async (renew = false) => {
      const access = await at.handedOut.accessOf('s3://lake/wh/f', { renew });
      return (access as { credentials: { accessKeyId: string } }).credentials.accessKeyId;
    };
    expect(await key()).toBe('key-1');
    at.clock.at += 3_000_000;
    expect(await key()).toBe('key-1');
    at.clock.at += 400_000;
    expect(await Promise.all([key(), key(), key()])).toEqual(['key-2', 'key-2', 'key-2']);
    expect(at.stub.requests.at(-1)?.path).toBe('/namespaces/a/tables/t/credentials');
    expect(await key(true)).toBe('key-3');
  });
});
