import { argv } from 'node:process';
import { Int64, Table, vectorFromArray } from 'apache-arrow';
import { system } from '../../../src/cli/system.ts';
import { openIceberg } from '../../../src/warehouse/index.ts';

// Run as a process of its own by race.test.ts: appends rows of its own and deletes some of them again, one commit each.
const [, , path, first, count] = argv;
const warehouse = await openIceberg({ catalog: { kind: 'directory', path: path! }, ...system });
for (let index = 0; index < Number(count); index += 1) {
  const id = BigInt(first!) + BigInt(index);
  await warehouse.append('t', new Table({ id: vectorFromArray([id, -id], new Int64()) }));
  await warehouse.change(
    't',
    { delete: { kind: 'compare', column: 'id', op: '=', value: { type: 'long', value: String(-id) } } },
    {},
  );
}
await warehouse.close();
