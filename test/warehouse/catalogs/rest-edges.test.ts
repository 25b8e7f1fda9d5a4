import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Catalog } from '../../../src/warehouse/catalog.ts';
import { newTable } from '../../../src/warehouse/iceberg/metadata/create.ts';
import { type TableMetadata, writeMetadata } from '../../../src/warehouse/iceberg/metadata/metadata.ts';
import { seededRandom } from '../../support/lake.ts';
import { failure, type StubOptions, sendAnswer } from '../../support/rest-catalog.ts';
import { type RestAtHand, restAtHand } from './rest-under-test.ts';

const random = seededRandom(6);
const set = { requirements: [], updates: [{ action: 'set-properties', updates: { a: 'b' } } as const] };

let at: RestAtHand;
let catalog: Catalog;
afterEach(() => at.close());

/** A stub with the tables `crm.t` and `crm.eu.u`. */
async function start(options: Partial<StubOptions> = {}): Promise<void> {
  at = await restAtHand(options);
  catalog = await at.open();
  for (const table of ['crm.t', 'crm.eu.u']) await catalog.create(table, tableAt(''));
  at.stub.requests.length = 0;
}

function tableAt(location: string): TableMetadata {
  const definition = { columns: [{ name: 'id', type: 'long' }] };
  return newTable({ table: 't', definition, location, now: 1, random });
}

const tables = async (): Promise<readonly string[]> => (await catalog.list()).map(({ table }) => table);

const commits = (): readonly (string | undefined)[] =>
  at.stub.requests
    .filter(({ method }) => method === 'POST')
    .map(({ headers }) => headers['idempotency-key'] as string | undefined);

describe('a catalog that knows keys of idempotency', () => {
  test('is sent a commit again under the same key, where its answer is lost', async () => {
    await start({ keyLifetime: 'PT30M' });
    let lost = 0;
    at.stub.fault = ({ method }, response) => {
      if (method !== 'POST' || lost === 2) return 'pass';
      lost += 1;
      response.destroy();
      return 'handled';
    };
    expect((await catalog.commit('crm.t', set)).metadata.properties.a).toBe('b');
    const keys = commits();
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    // RFC 9562: version 7, its first 48 bits are the milliseconds.
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(keys[0]!.slice(0, 13).replace('-', ''), 16)).toBe(1_700_000_000_000);
    await catalog.commit('crm.t', set);
    expect(commits().at(-1)).not.toBe(keys[0]);
  });

  test('and does not keep to them loses nothing: what it answers is read off the table', async () => {
    await start({ keyLifetime: 'PT30M' });
    const requirements = [{ type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': null } as const];
    const summary = { operation: 'append' };
    const snapshot = {
      'snapshot-id': 7n,
      'sequence-number': 1,
      'timestamp-ms': 1,
      'manifest-list': '/x',
      summary,
    };
    const updates = [
      { action: 'add-snapshot', snapshot: { ...snapshot, 'schema-id': 0 } },
      { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': 7n },
    ] as const;
    at.stub.fault = ({ method }, response, carryOut) => {
      if (method !== 'POST') return 'pass';
      at.stub.fault = undefined;
      carryOut();
      response.destroy();
      return 'handled';
    };
    // The second try meets the first: its requirement does not hold any more.
    expect((await catalog.commit('crm.t', { requirements, updates })).metadata.currentSnapshotId).toBe(7n);
    expect(commits()).toHaveLength(2);
  });
});

describe('namespaces within others', () => {
  test.each([400, 405, 406, 501])(
    'are none where the question for them is refused with %i',
    async (status) => {
      await start();
      at.stub.fault = ({ query }, response) => {
        if (!query.has('parent')) return 'pass';
        sendAnswer(response, failure(status, 'UnsupportedOperationException', 'no nested namespaces'));
        return 'handled';
      };
      expect(await tables()).toEqual(['crm.t']);
    },
  );

  test.each([401, 403, 500])(
    'that cannot be asked for (%i) are an error: a table could be missed',
    async (status) => {
      await start();
      at.stub.fault = ({ query }, response) => {
        if (!query.has('parent')) return 'pass';
        sendAnswer(response, failure(status, null, 'not now'));
        return 'handled';
      };
      await expect(catalog.list()).rejects.toMatchObject({ kind: 'failed' });
    },
  );

  test('that are refused here and answered there are an error too', async () => {
    await start();
    await catalog.create('other.deep.t', tableAt(''));
    at.stub.fault = ({ query }, response) => {
      if (query.get('parent') !== 'crm') return 'pass';
      sendAnswer(response, failure(400, null, 'a proxy takes no such letter'));
      return 'handled';
    };
    await expect(catalog.list()).rejects.toMatchObject({ code: 'catalog/bad-request' });
  });

  test('are not cut off where a later page of them is refused', async () => {
    await start();
    at.stub.fault = ({ query }, response) => {
      if (!query.has('parent')) return 'pass';
      if (query.get('pageToken') === '') {
        const body = { namespaces: [['crm', 'eu']], 'next-page-token': 'ended' };
        sendAnswer(response, { status: 200, body });
      } else sendAnswer(response, failure(400, null, 'the token has ended'));
      return 'handled';
    };
    await expect(catalog.list()).rejects.toMatchObject({ code: 'catalog/bad-request' });
  });

  test('without end are an error', async () => {
    await start();
    at.stub.fault = ({ query, path }, response) => {
      if (path !== '/namespaces') return 'pass';
      const parent = query.get('parent')?.split('\u001f') ?? [];
      sendAnswer(response, { status: 200, body: { namespaces: [[...parent, 'more']] } });
      return 'handled';
    };
    await expect(catalog.list()).rejects.toMatchObject({ code: 'catalog/bad-answer' });
  });

  test('are asked for once where the catalog gives all of them to every question', async () => {
    await start();
    at.stub.fault = ({ path, method }, response) => {
      if (method !== 'GET' || path !== '/namespaces') return 'pass';
      const namespaces = [...at.stub.namespaces].map((levels) => JSON.parse(levels) as string[]);
      sendAnswer(response, { status: 200, body: { namespaces } });
      return 'handled';
    };
    expect(await tables()).toEqual(['crm.eu.u', 'crm.t']);
  });
});

describe('pages', () => {
  test('that say nothing new, each with another token, are an error', async () => {
    await start();
    let pages = 0;
    at.stub.fault = ({ path }, response) => {
      if (!path.endsWith('/tables')) return 'pass';
      pages += 1;
      sendAnswer(response, { status: 200, body: { identifiers: [], 'next-page-token': `${pages}` } });
      return 'handled';
    };
    await expect(catalog.list()).rejects.toMatchObject({ code: 'catalog/bad-answer' });
    expect(pages).toBeLessThan(200);
  });

  test('on two of which one table stands name it once', async () => {
    await start();
    at.stub.fault = ({ path, query }, response) => {
      if (!path.endsWith('/crm/tables')) return 'pass';
      const next = query.get('pageToken') === '' ? { 'next-page-token': '1' } : {};
      const body = { identifiers: [{ namespace: ['crm'], name: 't' }], ...next };
      sendAnswer(response, { status: 200, body });
      return 'handled';
    };
    expect(await tables()).toEqual(['crm.eu.u', 'crm.t']);
  });
});

test('a catalog that calls every commit a conflict ends as an error of its own, in a minute or two', async () => {
  await start();
  at.stub.fault = ({ method }, response) => {
    if (method !== 'POST') return 'pass';
    sendAnswer(response, failure(409, 'CommitFailedException', 'metadata location has changed'));
    return 'handled';
  };
  await expect(catalog.commit('crm.t', set)).rejects.toMatchObject({ code: 'catalog/never-at-rest' });
  const slept = at.slept.reduce((sum, ms) => sum + ms, 0);
  expect(slept).toBeGreaterThan(30_000);
  expect(slept).toBeLessThan(120_000);
});

describe('in the middle of a job', () => {
  test('a table that is renamed is told, and its new name changes as before', async () => {
    await start();
    await catalog.load('crm.t');
    const key = JSON.stringify(['crm', 't']);
    const moved = at.stub.tables.get(key)!;
    at.stub.tables.delete(key);
    at.stub.tables.set(JSON.stringify(['crm', 'v']), { ...moved, name: 'v' });
    await expect(catalog.commit('crm.t', set)).rejects.toMatchObject({
      code: 'warehouse/no-such-table',
      data: { table: 'crm.t' },
    });
    expect((await catalog.load('crm.v')).metadata.properties).toEqual({});
    expect((await catalog.commit('crm.v', set)).metadata.properties.a).toBe('b');
  });

  test('a table that is renamed after a commit whose answer is lost leaves it unknown', async () => {
    await start();
    at.stub.fault = ({ method }, response, carryOut) => {
      if (method !== 'POST') return 'pass';
      carryOut();
      at.stub.tables.clear();
      response.destroy();
      return 'handled';
    };
    await expect(catalog.commit('crm.t', set)).rejects.toMatchObject({ code: 'warehouse/unknown-outcome' });
    expect(commits()).toHaveLength(1);
  });
});

test('a table that a directory catalog reads too is read and not changed', async () => {
  await start();
  const { metadataFile } = await catalog.load('crm.t');
  const folder = metadataFile.slice(0, metadataFile.lastIndexOf('/'));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'version-hint.text'), '1');
  await writeFile(join(folder, 'v1.metadata.json'), writeMetadata(tableAt(join(at.path, 'crm/t'))));
  const other = await at.open();
  expect((await other.load('crm.t')).refusal).toMatchObject({ code: 'foreign-catalog' });
});

test('a place outside those that are declared is refused by name', async () => {
  await start();
  const narrow = await at.open({ locations: [join(at.path, 'crm/eu')] });
  expect((await narrow.load('crm.eu.u')).table).toBe('crm.eu.u');
  await expect(narrow.load('crm.t')).rejects.toMatchObject({
    kind: 'refused',
    code: 'iceberg/location-outside',
    data: { table: 'crm.t' },
  });
});
