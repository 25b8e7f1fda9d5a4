import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Int64, Table, vectorFromArray } from 'apache-arrow';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { system } from '../../../src/cli/system.ts';
import { type CatalogSetting, openIceberg, type Warehouse } from '../../../src/warehouse/index.ts';
import { type Answer, sendAnswer } from '../../support/rest-catalog.ts';
import { restAtHand } from './rest-under-test.ts';

// What fails once the pointer has moved must not take the files of the new state away (hazard 44).

const rows = (...ids: readonly bigint[]): Table => new Table({ id: vectorFromArray(ids, new Int64()) });
const FIRST = { kind: 'compare', column: 'id', op: '=', value: { type: 'long', value: '1' } } as const;

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lethe-landed-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A table of three rows. */
async function made(warehouse: Warehouse): Promise<void> {
  await warehouse.create('crm.t', {
    columns: [{ name: 'id', type: 'long' }],
    properties: {
      'write.metadata.delete-after-commit.enabled': 'true',
      'write.metadata.previous-versions-max': '1',
    },
  });
  await warehouse.append('crm.t', rows(1n, 2n, 3n));
}

describe('a metadata file that fell off the log and cannot be removed, because the table was elsewhere once', () => {
  const catalogs: readonly [string, () => CatalogSetting][] = [
    ['directory', () => ({ kind: 'directory', path: folder })],
    ['sql', () => ({ kind: 'sql', url: `sqlite:${folder}/c.db`, warehouse: folder, create: true })],
  ];
  test.each(catalogs)('does not undo the commit: %s', async (_, catalog) => {
    const warehouse = await openIceberg({ catalog: catalog(), ...system });
    try {
      await made(warehouse);
      const metadata = join(folder, 'crm', 't', 'metadata');
      const newest = (await readdir(metadata))
        .filter((name) => name.endsWith('.metadata.json'))
        .sort()
        .at(-1)!;
      const text = await readFile(join(metadata, newest), 'utf8');
      const moved = text.replace(/("metadata-file":\s*")[^"]*"/, '$1/old/place/v1.metadata.json"');
      expect(moved).not.toBe(text);
      await writeFile(join(metadata, newest), moved);
      await warehouse.change('crm.t', { delete: FIRST }, {});
      expect(await warehouse.count('crm.t')).toBe(2);
    } finally {
      await warehouse.close();
    }
  });
});

describe('an answer that is refused does not undo the commit that it answers', () => {
  const edited =
    (edit: Readonly<Record<string, unknown>>, metadata = {}): Lie =>
    (response, { status, body }) => {
      const table = body as { readonly metadata: object };
      const answer = { ...table, ...edit, metadata: { ...table.metadata, ...metadata } };
      sendAnswer(response, { status, body: answer as Answer['body'] });
    };
  type Lie = (response: ServerResponse, answer: Answer) => void;
  const lies: readonly [string, Lie][] = [
    ['of a place outside of the warehouse', edited({ 'metadata-location': '/elsewhere/v9.metadata.json' })],
    ['of a version that nobody knows', edited({}, { 'format-version': 4 })],
    [
      'of another server, which is not followed',
      (response) => void response.writeHead(307, { location: 'http://elsewhere.example/' }).end(),
    ],
  ];
  test.each(lies)('%s', async (_, lie) => {
    const at = await restAtHand();
    const warehouse = await openIceberg({ catalog: { kind: 'rest', uri: at.stub.uri }, ...system });
    try {
      await made(warehouse);
      at.stub.fault = ({ method }, response, carryOut) => {
        if (method !== 'POST') return 'pass';
        at.stub.fault = undefined;
        lie(response, carryOut());
        return 'handled';
      };
      await warehouse.change('crm.t', { delete: FIRST }, {});
      expect(await warehouse.count('crm.t')).toBe(2);
    } finally {
      await warehouse.close();
      await at.close();
    }
  });
});
