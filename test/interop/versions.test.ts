import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TableDefinition } from '../../src/warehouse/warehouse.ts';
import { NO_METRICS } from '../contracts/data-plane/build.ts';
import { commitFiles, stateOf } from '../support/delete-files.ts';
import { puffinOfVectors } from '../support/deletion-vector.ts';
import { type Lake, makeLake } from '../support/lake.ts';
import { people, peopleFrom, withId } from '../support/rows.ts';
import { peerRead, peerRows } from './peer.ts';
import { comparable, readAll } from './rows.ts';

const EMAIL = 'e-mail "x".y';
const columns = [
  { name: 'id', type: 'long' },
  { name: EMAIL, type: 'string' },
];
const TABLES: Readonly<Record<string, Omit<TableDefinition, 'columns'>>> = {
  'all.plain': {},
  'all.buckets': {
    partition: [
      { column: 'id', transform: 'bucket[3]' },
      { column: EMAIL, transform: 'truncate[9]', name: 'mail' },
    ],
  },
  'all.lineage': { formatVersion: 3 },
  'all.vectors': { formatVersion: 3 },
  'all.vectors_rewritten': { formatVersion: 3 },
};

let lake: Lake;
let out: string;
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'lethe-versions-'));
  lake = await makeLake();
  for (const [table, definition] of Object.entries(TABLES)) {
    await lake.warehouse.create(table, { columns, ...definition });
    await lake.warehouse.append(table, people(peopleFrom(1n, 20)));
    await lake.warehouse.append(table, people(peopleFrom(101n, 20)));
    if (table.includes('vectors')) await hide(table);
    if (table !== 'all.vectors') await lake.warehouse.change(table, { delete: withId(4n) }, {});
    await lake.warehouse.scrub(table, {});
  }
});
afterAll(async () => {
  await lake.close();
  await rm(out, { recursive: true, force: true });
});

/** Commits vectors over the first three rows of every data file, all in one Puffin file. */
async function hide(table: string): Promise<void> {
  const files = await (await stateOf(lake, table)).files({});
  const vectors = files.map(({ file }) => ({ dataFile: file.location, positions: [0, 1, 2] }));
  const { bytes, places } = puffinOfVectors(vectors);
  const location = join(lake.path, table.replace('.', '/'), 'data', 'vectors.puffin');
  await writeFile(location, bytes);
  const entries = vectors.map(({ dataFile }, index) => ({
    ...{
      content: 'position-deletes' as const,
      location,
      format: 'puffin',
      specId: 0,
      partition: [],
      metrics: NO_METRICS,
    },
    ...{ recordCount: 3n, fileSize: BigInt(bytes.length), referencedDataFile: dataFile },
    ...{ contentOffset: BigInt(places[index]!.offset), contentSize: BigInt(places[index]!.length) },
  }));
  await commitFiles(lake, table, entries);
}

describe('tables of every version, partitioned and with deletes', () => {
  test('PyIceberg reads the same rows', async () => {
    const read = await peerRead(lake.path, out);
    expect(Object.keys(read).sort()).toEqual(Object.keys(TABLES).sort());
    for (const [table, { formatVersion = 2 }] of Object.entries(TABLES)) {
      expect(read[table]!.formatVersion).toBe(formatVersion);
      const own = comparable(await readAll(lake.warehouse, table));
      expect(comparable(await peerRows(out, table))).toEqual(own);
      const hidden = table.includes('vectors') ? 6 : 0;
      expect(own.rows).toHaveLength(40 - hidden - (table === 'all.vectors' ? 0 : 1));
    }
  });
});
