// What S3 costs: removing the old versions of a bucket, VERSIONS (100,000 if not set) of them, beside the plain loop with the AWS SDK;
// and a table in S3 beside the same table on disk, MEGABYTES (100 if not set) of it. The server is a small one in a process of its own,
// as test servers that keep versions take minutes to be filled: so these are Lethe's own costs, without a network's.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Int32, Table, vectorFromArray } from 'apache-arrow';
import { system } from '../src/cli/system.ts';
import { equals } from '../src/predicate/index.ts';
import { openIceberg, type Warehouse } from '../src/warehouse/index.ts';
import { type Bench, type Figure, figure } from './bench.ts';

const VERSIONS = Number(process.env.VERSIONS ?? 100_000);
const MEGABYTES = Number(process.env.MEGABYTES ?? 100);

export const bench: Bench = async () => {
  const { endpoint, child } = await startServer(VERSIONS, ['lethe', 'sdk']);
  try {
    return [...purging(endpoint), ...(await table(endpoint))];
  } finally {
    child.stdin?.end();
  }
};

interface Purged {
  readonly removed: number;
  readonly seconds: number;
  readonly megabytes: number;
}

function purging(endpoint: string): readonly Figure[] {
  const [sdk, lethe] = (['sdk', 'lethe'] as const).map((who) => purge(who, endpoint));
  if (sdk!.removed !== VERSIONS || lethe!.removed !== VERSIONS) throw new Error('some versions are left');
  const what = `remove ${VERSIONS} versions`;
  const peerName = 'a plain loop with the AWS SDK';
  return [
    figure({ what, unit: 's', lethe: lethe!.seconds, peer: sdk!.seconds, peerName, bound: null }),
    figure({ what, unit: 'MB more', lethe: lethe!.megabytes, peer: sdk!.megabytes, peerName, bound: null }),
  ];
}

function purge(who: 'lethe' | 'sdk', endpoint: string): Purged {
  const program = fileURLToPath(new URL('store/purge.ts', import.meta.url));
  const args = ['--import', 'tsx', program, who, endpoint, who];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`purging by ${who} failed: ${stderr}`);
  return JSON.parse(stdout) as Purged;
}

async function startServer(
  versions: number,
  buckets: readonly string[],
): Promise<{ readonly endpoint: string; readonly child: ChildProcess }> {
  const program = fileURLToPath(new URL('store/server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, String(versions), ...buckets], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (line: Buffer) => resolve(String(line).trim()));
    child.once('exit', () => reject(new Error('the server did not start')));
  });
  return { endpoint, child };
}

/** Eight files of rows that do not compress. */
async function table(endpoint: string): Promise<readonly Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'lethe-bench-store-'));
  await fetch(`${endpoint}/table`, { method: 'PUT' });
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const disk = await openIceberg({ catalog: { kind: 'directory', path: dir }, ...system });
  const s3 = await openIceberg({
    ...system,
    catalog: { kind: 'directory', path: 's3://table/wh' },
    s3: { endpoint, pathStyle: true, credentials },
  });
  try {
    const figures: Figure[] = [];
    const works: readonly (readonly [string, (warehouse: Warehouse) => Promise<unknown>])[] = [
      ['write', fill],
      ['count the rows of one of 256 in', (warehouse) => warehouse.count('t', one)],
      ['delete the rows of one of 256 from', (warehouse) => warehouse.change('t', { delete: one }, {})],
    ];
    for (const [what, work] of works) {
      const peer = await timed(() => work(disk));
      const lethe = await timed(() => work(s3));
      figures.push(
        figure({
          ...{ what: `${what} ${MEGABYTES} MB in S3`, unit: 's', lethe, peer },
          ...{ peerName: 'the same on disk', bound: null },
        }),
      );
    }
    return figures;
  } finally {
    await disk.close();
    await s3.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

const one = equals('who', { type: 'int', value: '7' });

async function fill(warehouse: Warehouse): Promise<void> {
  await warehouse.create('t', {
    columns: [
      { name: 'who', type: 'int' },
      { name: 'noise', type: 'string' },
    ],
  });
  const rows = Math.floor((MEGABYTES * 2 ** 20) / 8 / 1000);
  for (let file = 0; file < 8; file += 1) {
    const who = vectorFromArray(
      Array.from({ length: rows }, (_, row) => row % 256),
      new Int32(),
    );
    const noise = vectorFromArray(
      Array.from({ length: rows }, () => Buffer.from(system.random.bytes(750)).toString('base64')),
    );
    await warehouse.append('t', new Table({ who, noise }));
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}
