import fs from 'node:fs/promises';
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

for (const name of ['link', 'rename', 'unlink'] as const) {
  const real = fs[name] as (...args: readonly unknown[]) => Promise<void>;
  const killing = async (...args: readonly unknown[]): Promise<void> => {
    if (step(args.at(-1))) die();
    return real(...args);
  };
  Object.assign(fs, { [name]: killing });
}
const open = fs.open;
Object.assign(fs, {
  open: async (...args: Parameters<typeof open>) => {
    const file = await open(...args);
    if (args[1] !== 'wx') return file;
    const whole = file.writeFile.bind(file);
    file.writeFile = async (bytes, ...rest) => {
      if (step(args[0])) {
        await file.write((bytes as Uint8Array).subarray(0, (bytes as Uint8Array).length >> 1));
        die();
      }
      return whole(bytes, ...rest);
    };
    return file;
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
