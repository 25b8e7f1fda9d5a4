// One writer of the bench, run as a process of its own: says that it is ready, waits for a line, commits, and prints what it came to.
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { system } from '../../src/cli/system.ts';
import { localStorage } from '../../src/storage/index.ts';
import { openCatalog } from '../../src/warehouse/catalogs/open.ts';
import { HandedOut } from '../../src/warehouse/catalogs/vended.ts';
import type { CatalogSetting } from '../../src/warehouse/index.ts';

const [, , setting = '', who = '', count = ''] = process.argv;
const { clock, random } = system;
let sent = 0;
const plain = globalThis.fetch;
globalThis.fetch = (input, init) => {
  if (init?.method === 'POST') sent += 1;
  return plain(input, init);
};
const local = localStorage();
const catalog = await openCatalog(JSON.parse(setting) as CatalogSetting, {
  clock,
  random,
  storage: {
    ...local,
    writeIfAbsent: (location, bytes) => {
      sent += 1;
      return local.writeIfAbsent(location, bytes);
    },
  },
  patience: { random, sleep: (ms) => setTimeout(ms) },
  handedOut: new HandedOut(clock),
});
await catalog.load('crm.t');
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const begin = performance.now();
for (let commit = 0; commit < Number(count); commit += 1) {
  const updates = { [`writer-${who}`]: String(commit) };
  await catalog.commit('crm.t', { requirements: [], updates: [{ action: 'set-properties', updates }] });
}
process.stdout.write(`${JSON.stringify({ ms: performance.now() - begin, retries: sent - Number(count) })}\n`);
await catalog.close?.();
process.exit(0);
