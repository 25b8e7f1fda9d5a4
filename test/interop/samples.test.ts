import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { equals } from '../../src/predicate/index.ts';
import type { Literal } from '../../src/values/literal.ts';
import { mounts, openSample, REFUSED_SAMPLES, sampleFolders } from '../support/samples.ts';
import { sharedPath, sharedReason } from '../support/shared.ts';
import { peerRowsOf } from './peer.ts';
import { comparable, readAll } from './rows.ts';

const NO_EQUALITY_DELETES = /does not yet support equality deletes/;
const NO_REQUIRED_PARTITION = /Field is required, and could not be found in the file: 1: partition_col/;

/** What PyIceberg 0.12.0 says instead of rows: as the table was written, and where it still does after Lethe's delete. */
const UNREAD: Readonly<Record<string, { readonly says: RegExp; readonly after?: true }>> = {
  'duckdb-big_query_error': { says: /TypeError/ },
  'duckdb-equality_deletes/warehouse/mydb/mytable': { says: NO_EQUALITY_DELETES },
  'duckdb-equality_deletes/warehouse/mydb/mytable_partitioned': { says: NO_EQUALITY_DELETES, after: true },
  'duckdb-iceberg_v1_deprecated/default/legacy_v1': { says: /ValidationError/, after: true },
  'duckdb-legacy_bare_deletion_vector/warehouse/default/legacy_bare_deletion_vector': {
    says: /Incorrect magic bytes/,
  },
  'duckdb-partition_fixed_length_binary/default.db/partition_fixed_length_binary': {
    says: NO_REQUIRED_PARTITION,
  },
  'duckdb-partition_time/default.db/partition_time': { says: NO_REQUIRED_PARTITION, after: true },
  'duckdb-partition_timestamp/default.db/partition_timestamp': { says: NO_REQUIRED_PARTITION, after: true },
  'impala-iceberg_v2_delete_equality': { says: NO_EQUALITY_DELETES },
  'impala-iceberg_v2_delete_equality_partitioned': { says: NO_EQUALITY_DELETES },
};

/** Tables that PyIceberg reads otherwise without a word, until Lethe has written the file again. */
const MISREAD: readonly string[] = [
  // It gives the double of a partition with the digits of a float.
  'impala-iceberg_alltypes_part',
  // It passes over position deletes whose paths have another scheme than those of the data files.
  'impala-iceberg_v2_delete_positional',
  'impala-iceberg_v2_partitioned_position_deletes',
  'impala-iceberg_v2_positional_delete_all_rows',
];

/** Tables whose rows Lethe reads and does not write again: a column of type fixed. */
const UNWRITTEN: readonly string[] = [
  'duckdb-add_columns_with_defaults/default.db/add_columns_with_defaults',
  'duckdb-partition_fixed_length_binary/default.db/partition_fixed_length_binary',
];

const LITERALS: Readonly<Record<string, 'int' | 'long' | 'text'>> = {
  Int32: 'int',
  Int64: 'long',
  Utf8: 'text',
};

const root = sharedPath('samples', 'iceberg');
const why = root === null ? ` (${sharedReason('samples', 'iceberg')})` : '';
const folders = root === null ? [] : sampleFolders(root).filter((folder) => !(folder in REFUSED_SAMPLES));

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-samples-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** The metadata file with the highest version in its name. */
async function newestMetadata(table: string): Promise<string> {
  const version = (name: string): number => Number(/^v?(\d+).*\.metadata\.json/.exec(name)?.[1] ?? -1);
  const names = await readdir(join(table, 'metadata'));
  return join(table, 'metadata', names.sort((one, other) => version(one) - version(other)).at(-1)!);
}

/** The first column that has whole numbers or texts, and its value in the first row; null where there are structs alone, or no row. */
function firstValue(rows: Table): readonly [column: string, value: Literal] | null {
  const at = rows.schema.fields.findIndex(({ type }) => String(type) in LITERALS);
  if (at < 0 || rows.numRows === 0) return null;
  const { name, type } = rows.schema.fields[at]!;
  return [name, { type: LITERALS[String(type)]!, value: String(rows.getChildAt(at)!.get(0)) }];
}

describe.skipIf(root === null)(`PyIceberg and tables of other writers${why}`, () => {
  test.each(folders)('%s: the same rows, before and after rows are deleted', async (folder) => {
    const at = join(dir, folder);
    await cp(join(root!, folder), at, { recursive: true });
    const { warehouse, table } = await openSample(root!, folder, { at });
    try {
      const written = await readAll(warehouse, table);
      await agrees('written', written);
      const first = firstValue(written);
      if (first === null) return;
      const [column, value] = first;
      const change = warehouse.change(table, { delete: equals(column, value), physically: true }, {});
      if (UNWRITTEN.includes(folder)) {
        await expect(change).rejects.toMatchObject({ code: 'iceberg/unsupported-type' });
        return;
      }
      const { rowsDeleted } = await change;
      expect(rowsDeleted).toBeGreaterThan(0);
      const left = await readAll(warehouse, table);
      expect(left.numRows).toBe(written.numRows - rowsDeleted);
      await agrees('after', left);
    } finally {
      await warehouse.close();
    }

    async function agrees(when: 'written' | 'after', ours: Table): Promise<void> {
      const theirs = peerRowsOf({
        metadata: await newestMetadata(at),
        mounts: mounts(root!, folder, at),
        out: join(dir, 'rows.arrow'),
      });
      const unread = UNREAD[folder];
      if (unread !== undefined && (when === 'written' || unread.after)) {
        await expect(theirs).rejects.toThrow(unread.says);
        return;
      }
      const [mine, peer] = [comparable(ours), comparable(await theirs)];
      if (when === 'written' && MISREAD.includes(folder)) expect(peer.rows).not.toEqual(mine.rows);
      else if (ours.numRows === 0) expect(peer.rows).toEqual([]);
      else expect(peer).toEqual(mine);
    }
  });

  test('there are all tables that the lists name', () => {
    expect(folders).toEqual(expect.arrayContaining([...Object.keys(UNREAD), ...MISREAD, ...UNWRITTEN]));
    expect(folders.length).toBeGreaterThan(35);
  });
});
