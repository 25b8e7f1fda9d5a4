import { argv } from 'node:process';
import { Int64, Table, vectorFromArray } from 'apache-arrow';
import { system } from '../../../src/cli/system.ts';
import { parseJson } from '../../../src/values/json.ts';
import { type CatalogSetting, openIceberg } from '../../../src/warehouse/index.ts';

// Run as a process of its own by race.test.ts: appends rows of its own and deletes some of them again, one commit each.
const [, , setting = '', first = '', count = ''] = argv;
const warehouse = await openIceberg({ catalog: parseJson(setting) as CatalogSetting, ...system });
for (let index = 0; index < Number(count); index += 1) {
  const id = BigInt(first) + BigInt(index);
  await warehouse.append('crm.t', new Table({ id: vectorFromArray([id, -id], new Int64()) }));
  const value = { type: 'long', value: String(-id) } as const;
  await warehouse.change('crm.t', { delete: { kind: 'compare', column: 'id', op: '=', value } }, {});
}
await warehouse.close();
