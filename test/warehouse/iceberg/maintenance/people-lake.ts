import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson, stringifyJson } from '../../../../src/values/json.ts';
import { type Lake, makeLake } from '../../../support/lake.ts';
import { PEOPLE, people, peopleFrom } from '../../../support/rows.ts';

export const TABLE = 'crm.learners';

/** A lake with one table of twenty people in two files, with full bounds. */
export interface PeopleLake extends Lake {
  /** The table's. */
  readonly folder: string;
  /** The newest version of its metadata. */
  hint(): Promise<number>;
  /** Changes the newest metadata by hand, as another writer would. */
  edit(change: (document: Record<string, unknown>) => Record<string, unknown>): Promise<void>;
}

export async function makePeopleLake(): Promise<PeopleLake> {
  const lake = await makeLake();
  const folder = join(lake.path, 'crm/learners');
  await lake.warehouse.create(TABLE, {
    columns: PEOPLE,
    properties: { 'write.metadata.metrics.default': 'full' },
  });
  await lake.warehouse.append(TABLE, people(peopleFrom(1n, 10)));
  await lake.warehouse.append(TABLE, people(peopleFrom(100n, 10)));
  const hint = async (): Promise<number> =>
    Number(await readFile(join(folder, 'metadata/version-hint.text'), 'utf8'));
  return {
    ...lake,
    folder,
    hint,
    edit: async (change) => {
      const file = join(folder, `metadata/v${await hint()}.metadata.json`);
      const document = parseJson(await readFile(file, 'utf8')) as Record<string, unknown>;
      await writeFile(file, stringifyJson(change(document)));
    },
  };
}

/** A statistics file of a snapshot, as metadata names it. */
export function statisticsAt(location: string, snapshotId: unknown): Record<string, unknown> {
  return {
    'snapshot-id': snapshotId,
    'statistics-path': location,
    'file-size-in-bytes': 4,
    'file-footer-size-in-bytes': 4,
    'blob-metadata': [],
  };
}
