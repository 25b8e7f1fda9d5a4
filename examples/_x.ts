import { rmSync } from 'node:fs';
import { makePlatform } from './platform/index.ts';

rmSync('/tmp/pl/p', { recursive: true, force: true });
console.time('make');
const p = await makePlatform({ dir: '/tmp/pl/p' });
console.timeEnd('make');
for (const t of await p.warehouse.list()) {
  const d = await p.warehouse.describe(t);
  console.log(
    t,
    d.rows,
    d.dataFiles,
    d.snapshots.map((s) => s.operation).join(),
    d.location,
    d.refusals.length,
  );
}
await p.close();
console.log(Math.round(process.resourceUsage().maxRSS / 1024), 'MB');
