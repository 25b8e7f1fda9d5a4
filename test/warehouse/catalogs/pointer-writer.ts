import { randomBytes } from 'node:crypto';
import { argv, stdout } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { CatalogRows } from '../../../src/warehouse/catalogs/sql/rows.ts';
import { openSqlite } from '../../../src/warehouse/catalogs/sql/sqlite.ts';

// Run as a process of its own by pointer-race.test.ts: moves one pointer as often as it is told, and prints from where to where.
const [, , path = '', who = '', count = ''] = argv;
const patience = { sleep: (ms: number) => setTimeout(ms), random: { bytes: randomBytes } };
const database = await openSqlite({ path, create: true, patience });
const rows = new CatalogRows({ database, catalog: 'default', create: true, patience });
const identifier = { namespace: 'crm', name: 't' };
await rows.insert(identifier, 'begin');
for (let moved = 0; moved < Number(count); ) {
  const from = (await rows.find('crm.t'))!.metadataFile;
  const to = `${who}${moved}`;
  if ((await rows.move({ identifier, from, to })) !== 'moved') continue;
  stdout.write(`${from} ${to}\n`);
  moved += 1;
}
await database.close();
