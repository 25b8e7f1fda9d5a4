import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compare } from '../../../src/predicate/index.ts';
import { cellsOf, type Row, rowsTable } from '../../contracts/data-plane/rows.ts';
import { stateOf } from '../../support/delete-files.ts';
import { type Lake, makeLake } from '../../support/lake.ts';
import { PEOPLE, people, peopleFrom, readPeople, withId } from '../../support/rows.ts';
import { openSample, rowsAsText } from '../../support/samples.ts';
import { sharedPath, sharedReason } from '../../support/shared.ts';

const root = sharedPath('samples', 'iceberg');
const why = root === null ? ` (${sharedReason('samples', 'iceberg')})` : '';

/** Tables of other writers: the column to delete by, one of its values, and how many rows have it. */
const SAMPLES: readonly (readonly [string, number, string, readonly string[], bigint, number])[] = [
  ['duckdb-iceberg_v1_deprecated/default/legacy_v1', 1, 'id', ['id', 'category', 'amount'], 3n, 1],
  ['impala-iceberg_non_partitioned', 1, 'id', ['id', 'user', 'action', 'event_time'], 7n, 1],
  ['impala-iceberg_partitioned', 1, 'id', ['id', 'user', 'action', 'event_time'], 7n, 1],
  ['impala-iceberg_alltypes_part', 1, 'i', ['i', 'p_int', 'p_string'], 1n, 1],
  ['impala-iceberg_legacy_partition_schema_evolution', 1, 'i', ['i', 'p_int_long', 'p_float_double'], 1n, 1],
  ['impala-v3-iceberg_v3_default_value', 3, 'i', ['i', 'j'], 1n, 1],
  ['impala-v3-test_complex_default', 3, 'i', ['i', 'j.f1'], 2n, 1],
  [
    'duckdb-legacy_bare_deletion_vector/warehouse/default/legacy_bare_deletion_vector',
    3,
    'id',
    ['id', 'source'],
    3n,
    1,
  ],
];

describe.skipIf(root === null)(`tables of other versions${why}`, () => {
  let copy: string;
  beforeEach(async () => {
    copy = await mkdtemp(join(tmpdir(), 'lethe-sample-'));
  });
  afterEach(() => rm(copy, { recursive: true, force: true }));

  test.each(SAMPLES)(
    '%s is erased from as version %i',
    async (folder, version, by, columns, value, count) => {
      const at = join(copy, 'table');
      await cp(join(root!, folder), at, { recursive: true, mode: 0 });
      const { warehouse, table } = await openSample(root!, folder, { at });
      try {
        const before = await rowsAsText(warehouse, table, columns);
        const id = columns.indexOf(by);
        const left = before.filter((row) => (JSON.parse(row) as string[])[id] !== String(value));
        expect(before.length - left.length).toBe(count);
        const where = compare(by, '=', { type: 'long', value: String(value) });
        const changed = await warehouse.change(table, { delete: where, physically: true }, {});
        expect(changed).toMatchObject({ rowsDeleted: count });
        expect(await rowsAsText(warehouse, table, columns)).toEqual(left);
        await warehouse.scrub(table, {});
        await warehouse.expire(table, { olderThan: Date.UTC(2031, 0, 1), minToKeep: 1, files: 'delete' });
        expect(await rowsAsText(warehouse, table, columns)).toEqual(left);
        const described = await warehouse.describe(table);
        expect(described).toMatchObject({ formatVersion: version, deleteFiles: 0, rows: left.length });
        expect(described.snapshots).toHaveLength(1);
      } finally {
        await warehouse.close();
      }
    },
  );
});

describe('row lineage (version 3)', () => {
  const TABLE = 'crm.learners';
  let lake: Lake;
  beforeEach(async () => {
    lake = await makeLake();
    await lake.warehouse.create(TABLE, { columns: PEOPLE, formatVersion: 3 });
  });
  afterEach(() => lake.close());

  /** Who each row is and which commit changed it last, by the rules of the specification, out of the files themselves. */
  const lineage = async (): Promise<readonly (readonly [id: bigint, row: bigint, sequence: bigint])[]> => {
    const files = await (await stateOf(lake, TABLE)).files({});
    const duckdb = await DuckDBInstance.create(':memory:');
    const connection = await duckdb.connect();
    const found: [bigint, bigint, bigint][] = [];
    for (const { file, sequenceNumber } of files) {
      const types = (name: string): string => `{name: '${name}', type: 'BIGINT', default_value: NULL}`;
      const read = await connection.runAndReadAll(
        `SELECT id, coalesce(r, ${file.firstRowId} + file_row_number)::BIGINT, coalesce(s, ${sequenceNumber})::BIGINT FROM read_parquet('${file.location}', schema = MAP {1: ${types('id')}, 2147483540: ${types('r')}, 2147483539: ${types('s')}})`,
      );
      found.push(...(read.getRows() as unknown as [bigint, bigint, bigint][]));
    }
    connection.closeSync();
    duckdb.closeSync();
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  };
  const metadata = async (): Promise<Record<string, unknown>> => {
    const folder = join(lake.path, 'crm/learners/metadata');
    const hint = (await readFile(join(folder, 'version-hint.text'), 'utf8')).trim();
    return JSON.parse(await readFile(join(folder, `v${hint}.metadata.json`), 'utf8')) as Record<
      string,
      unknown
    >;
  };

  test('rows keep their ids through appends, deletes, clearing and scrubbing; cleared ones are updated', async () => {
    const { warehouse } = lake;
    await warehouse.append(TABLE, people(peopleFrom(1n, 4)));
    await warehouse.append(TABLE, people(peopleFrom(11n, 3)));
    const ids = new Map([...(await lineage())].map(([id, row]) => [id, row]));
    expect(new Set(ids.values()).size).toBe(7);
    expect([...ids.values()].every((row) => row < 7n)).toBe(true);
    expect(await metadata()).toMatchObject({ 'next-row-id': 7, 'last-sequence-number': 2 });
    await warehouse.change(TABLE, { delete: withId(2n) }, {});
    expect(await lineage()).toEqual(
      [1n, 3n, 4n, 11n, 12n, 13n].map((id) => [id, ids.get(id)!, id < 10n ? 1n : 2n]),
    );
    const clear = {
      where: withId(3n),
      columns: [{ column: PEOPLE[1].name, with: { kind: 'null' } }],
    } as const;
    await warehouse.change(TABLE, { clear }, {});
    expect(await lineage()).toEqual(
      [1n, 3n, 4n, 11n, 12n, 13n].map((id) => [id, ids.get(id)!, id === 3n ? 4n : id < 10n ? 1n : 2n]),
    );
    await warehouse.change(TABLE, { delete: withId(4n) }, {});
    await warehouse.scrub(TABLE, {});
    await warehouse.append(TABLE, people(peopleFrom(21n, 1)));
    const rows = await lineage();
    expect(rows.filter(([id]) => id < 20n)).toEqual(
      [1n, 3n, 11n, 12n, 13n].map((id) => [id, ids.get(id)!, id === 3n ? 4n : id < 10n ? 1n : 2n]),
    );
    const [, newest, sequence] = rows.at(-1)!;
    expect(sequence).toBe(BigInt((await metadata())['last-sequence-number'] as number));
    expect([...ids.values()]).not.toContain(newest);
    expect(newest < BigInt((await metadata())['next-row-id'] as number)).toBe(true);
    expect((await readPeople(warehouse, TABLE)).map(({ id }) => id)).toEqual(rows.map(([id]) => id));
  });

  test('instants are kept to the nanosecond, which only this version has', async () => {
    const { warehouse } = lake;
    const columns = [
      { name: 'id', type: 'long' },
      { name: 'at', type: 'timestamp_ns' },
    ];
    await expect(warehouse.create('crm.older', { columns })).rejects.toMatchObject({
      code: 'warehouse/columns',
    });
    await warehouse.create('crm.visits', { columns, formatVersion: 3 });
    const fields = columns.map((column, index) => ({ ...column, id: index + 1, required: false }));
    const rows = [1_577_836_800_123_456_789n, -1n, null].map((at, n) => ({ id: BigInt(n), at }));
    await warehouse.append('crm.visits', rowsTable(fields, rows));
    expect((await warehouse.describe('crm.visits')).refusals).toEqual([]);
    await warehouse.change('crm.visits', { delete: withId(2n) }, {});
    const read: Row[] = [];
    for await (const batch of warehouse.read('crm.visits')) read.push(...cellsOf(batch));
    expect(read).toEqual(rows.slice(0, 2));
  });

  test('every snapshot says where its row ids begin and how many it gave', async () => {
    const { warehouse } = lake;
    await warehouse.append(TABLE, people(peopleFrom(1n, 4)));
    await warehouse.change(TABLE, { delete: withId(2n) }, {});
    const { snapshots, ...rest } = await metadata();
    const numbered = snapshots as { readonly 'first-row-id': number; readonly 'added-rows': number }[];
    expect(numbered.map((one) => [one['first-row-id'], one['added-rows']])).toEqual([
      [0, 4],
      [4, 3],
    ]);
    expect(rest['next-row-id']).toBe(7);
  });
});
