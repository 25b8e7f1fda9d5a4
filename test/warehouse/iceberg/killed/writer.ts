import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process, { argv } from 'node:process';
import type { DataPlane } from '../../../../src/warehouse/data-plane.ts';
import type { Work } from './works.ts';

// Run as a process of its own by killed.test.ts: kills itself at the given file operation below the lake that changes something,
// before it or, while a file is written, in its middle. Ends with 0 where there are fewer operations.
const [, , lake, work, at] = argv;
let operations = 0;

function step(path: unknown): boolean {
  if (!String(path).startsWith(lake!)) return false;
  operations += 1;
  return operations === Number(at);
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

for (const name of ['linkSync', 'renameSync', 'unlinkSync'] as const) {
  const real = fs[name] as (...args: readonly unknown[]) => void;
  const killing = (...args: readonly unknown[]): void => {
    if (step(args.at(-1))) die();
    real(...args);
  };
  Object.assign(fs, { [name]: killing });
}
const { openSync, writeFileSync } = fs;
const written = new Map<unknown, unknown>();
Object.assign(fs, {
  openSync: (...args: Parameters<typeof openSync>) => {
    const file = openSync(...args);
    if (args[1] === 'wx') written.set(file, args[0]);
    return file;
  },
  writeFileSync: (...[file, bytes]: Parameters<typeof writeFileSync>) => {
    if (step(written.get(file))) {
      writeFileSync(file, (bytes as Uint8Array).subarray(0, (bytes as Uint8Array).length >> 1));
      die();
    }
    writeFileSync(file, bytes);
  },
});
syncBuiltinESMExports();

const { system } = await import('../../../../src/cli/system.ts');
const { openIceberg } = await import('../../../../src/warehouse/iceberg/open.ts');
const { rewrites, WORKS } = await import('./works.ts');
const name = work as Work;
const warehouse = await openIceberg({
  catalog: { kind: 'directory', path: lake! },
  ...system,
  ...(rewrites(name) ? {} : { plane: { capabilities: {}, close: async () => {} } as unknown as DataPlane }),
});
await WORKS[name](warehouse);
await warehouse.close();
