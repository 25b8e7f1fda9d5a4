import { readdir } from 'node:fs/promises';
import { Int64, Table, vectorFromArray } from 'apache-arrow';
import { expect, test } from 'vitest';
import { system } from '../../../src/cli/system.ts';
import { openIceberg } from '../../../src/warehouse/index.ts';
import { restAtHand } from './rest-under-test.ts';

const rows = (...ids: readonly bigint[]): Table => new Table({ id: vectorFromArray(ids, new Int64()) });

test('a table that is dropped while rows are added to it is told, and no file of the try stays', async () => {
  const at = await restAtHand();
  const warehouse = await openIceberg({ catalog: { kind: 'rest', uri: at.stub.uri }, ...system });
  try {
    await warehouse.create('crm.t', { columns: [{ name: 'id', type: 'long' }] });
    await warehouse.append('crm.t', rows(1n));
    const before = await readdir(at.path, { recursive: true });
    at.stub.fault = ({ method }) => {
      if (method === 'POST') at.stub.tables.clear();
      return 'pass';
    };
    await expect(warehouse.append('crm.t', rows(2n))).rejects.toMatchObject({
      code: 'warehouse/no-such-table',
    });
    expect((await readdir(at.path, { recursive: true })).sort()).toEqual(before.sort());
  } finally {
    await warehouse.close();
    await at.close();
  }
});
