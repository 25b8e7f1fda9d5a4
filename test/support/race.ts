import { spawn } from 'node:child_process';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { system } from '../../src/cli/system.ts';
import { type CatalogSetting, openIceberg } from '../../src/warehouse/index.ts';

const WRITER = fileURLToPath(new URL('../warehouse/catalogs/race-writer.ts', import.meta.url));
const COMMITS = 4;
const WRITERS = ['1000', '9007199254740993'];

/** Two processes write to one table of a catalog at the same time; every commit of both must be there, and no file beside. */
export async function raceOn(setting: CatalogSetting): Promise<void> {
  const warehouse = await openIceberg({ catalog: setting, ...system });
  try {
    await warehouse.create('crm.t', { columns: [{ name: 'id', type: 'long' }] });
    const codes = await Promise.all(
      WRITERS.map((first) => run(JSON.stringify(setting), first, String(COMMITS))),
    );
    expect(codes).toEqual(WRITERS.map(() => 0));
    const ids: string[] = [];
    for await (const [id] of warehouse.distinct('crm.t', ['id'])) ids.push(String(id?.value));
    const expected = WRITERS.flatMap((first) =>
      Array.from({ length: COMMITS }, (_, index) => String(BigInt(first) + BigInt(index))),
    );
    expect(ids.sort()).toEqual(expected.sort());
    expect((await warehouse.describe('crm.t')).snapshots).toHaveLength(WRITERS.length * COMMITS * 2);
    // What a service leaves of its own races is its own: metadata that it wrote in vain, and Hadoop's checksums.
    const loose = (await warehouse.unreferenced('crm.t')).map(({ location }) => location);
    expect(loose.filter((file) => !/\.metadata\.json(\.crc)?$/.test(file))).toEqual([]);
  } finally {
    await warehouse.close();
  }
}

function run(...args: readonly string[]): Promise<number | null> {
  const writer = spawn(execPath, ['--import', 'tsx', WRITER, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    writer.on('exit', resolve).on('error', reject);
  });
}
