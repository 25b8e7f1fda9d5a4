import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, test } from 'vitest';
import { drain } from '../../contracts/data-plane/laboratory.ts';
import { openSample, REFUSED_SAMPLES, rowsAsText, sampleFolders } from '../../support/samples.ts';
import { sharedPath, sharedReason } from '../../support/shared.ts';

/** Rows by another reader: DuckDB over the files of the table (`$T`), as their writers meant them to be read. */
interface Expected {
  readonly columns: readonly string[];
  readonly sql: string;
}

const files = (columns: readonly string[], where = 'true', glob = 'data/**/[!.]*.parq*'): Expected => ({
  columns,
  sql: `SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM read_parquet('$T/${glob}', hive_partitioning = false) WHERE ${where}`,
});
const values = (columns: readonly string[], ...rows: readonly string[]): Expected => ({
  columns,
  sql: `SELECT * FROM (VALUES ${rows.map((row) => `(${row})`).join(', ')})`,
});
/** The partition column is in the metadata only; the folders' names tell its values to the other reader. */
const partitioned = (value: string): Expected => ({
  columns: ['partition_col', 'user_id', 'event_type'],
  sql: `SELECT ${value}, user_id, event_type FROM (SELECT *, regexp_extract(filename, 'partition_col=([^/]*)', 1) AS folder
    FROM read_parquet('$T/data/*/[!.]*.parquet', hive_partitioning = false, filename = true))`,
});
const actions = ['id', 'user', 'action'];
/** Rows of the file from before the columns were added have their initial defaults, as the metadata says. */
const defaults = (at: string, before: string, after: string): Expected => ({
  columns: ['col1', 'col_integer', 'col_string', 'col_uuid', 'col_fixed', 'col_binary'].map(
    (name) => at + name,
  ),
  sql: `SELECT ${at}col1, ${at}col_integer, ${at}col_string, ${at}col_uuid, ${at}col_fixed, ${at}col_binary
      FROM read_parquet('$T/data/00000-0-${after}-*.parquet')
    UNION ALL SELECT ${at}col1, 342342, 'HELLO', unhex('f79c3e09677c4bbda4793f349cb785e7'), unhex('010203ff03'), unhex('0102')
      FROM read_parquet('$T/data/00000-0-${before}-*.parquet')`,
});

/** Tables that are read, by folder. What is left out of SQL here was deleted by the delete files beside it. */
const ROWS: Readonly<Record<string, Expected>> = {
  'duckdb-add_columns_with_defaults/default.db/add_columns_with_defaults': defaults(
    '',
    '0bb8c58e',
    'f1823874',
  ),
  'duckdb-add_columns_with_defaults_in_struct/default.db/add_columns_with_defaults_in_struct': defaults(
    'a.',
    '427b9cfc',
    '302dbb2a',
  ),
  'duckdb-big_query_error': files(['id', 'name']),
  'duckdb-column_mapping/warehouse/default.db/my_table': {
    columns: ['id', 'name', 'age', 'profile.email', 'profile.verified'],
    sql: `SELECT id, name, age, profile.email, profile.verified FROM read_parquet('$T/../../example/mock_data.parquet')`,
  },
  'duckdb-equality_delete_extra_column/warehouse/ns/t': files(['id'], 'true', 'data/**/00000*.parquet'),
  'duckdb-equality_deletes/warehouse/mydb/mytable': files(
    ['id', 'name'],
    'bir IS NOT NULL AND id IN (4, 5)',
    'data/0*.parquet',
  ),
  'duckdb-equality_deletes/warehouse/mydb/mytable_partitioned': files(
    ['id', 'name'],
    `name IN ('a', 'd', 'e')`,
    'data/*/0*.parquet',
  ),
  'duckdb-expression_filter': files(['id']),
  'duckdb-iceberg_v1_deprecated/default/legacy_v1': files(['id', 'category', 'amount']),
  'duckdb-is_null_is_not_null': files(['id']),
  'duckdb-legacy_bare_deletion_vector/warehouse/default/legacy_bare_deletion_vector': files(
    ['id', 'source'],
    'id <> 2',
  ),
  'duckdb-null_stats/default/test_nulls': files(['id']),
  'duckdb-partition_bigint': partitioned('folder'),
  'duckdb-partition_binary': partitioned('hex(from_base64(folder)).lower()'),
  'duckdb-partition_bool': partitioned('folder'),
  'duckdb-partition_decimal_bigint': files(['user_id', 'event_type']),
  'duckdb-partition_decimal_integer': files(['user_id', 'event_type']),
  'duckdb-partition_decimal_smallint': files(['user_id', 'event_type']),
  'duckdb-partition_double': partitioned('folder::FLOAT::DOUBLE'),
  'duckdb-partition_fixed_length_binary/default.db/partition_fixed_length_binary': partitioned(
    'hex(from_base64(url_decode(folder))).lower()',
  ),
  'duckdb-partition_float': partitioned('folder::FLOAT::DOUBLE'),
  'duckdb-partition_integer': partitioned('folder'),
  'duckdb-partition_time/default.db/partition_time': files(['user_id', 'event_type']),
  'duckdb-partition_timestamp/default.db/partition_timestamp': files(['user_id', 'event_type']),
  'impala-hc-hadoop_catalog_test/functional_parquet/hadoop_catalog_test': files(actions),
  // The partition columns are in the metadata only: these values are those of the folders' names.
  'impala-iceberg_alltypes_part': {
    columns: ['i', 'p_bool', 'p_int', 'p_bigint', 'p_float', 'p_double', 'p_string'],
    sql: `SELECT i, true, 1, 11::BIGINT, 1.1::FLOAT, 2.222::DOUBLE, 'impala' FROM read_parquet('$T/p_bool=true/**/000000_0', hive_partitioning = false)`,
  },
  'impala-iceberg_legacy_partition_schema_evolution': {
    columns: ['p_int_long', 'p_float_double', 'i'],
    sql: `SELECT 1::BIGINT, 1.1::FLOAT::DOUBLE, i FROM read_parquet('$T/p_int_long=1/**/000000_0', hive_partitioning = false)`,
  },
  'impala-iceberg_multiple_storage_locations': files(
    ['col_int', 'col_bigint', 'col_string'],
    'true',
    '../impala-iceberg_multiple_storage_locations*/**/*.parquet',
  ),
  'impala-iceberg_non_partitioned': files(actions),
  'impala-iceberg_partitioned': files(actions),
  'impala-iceberg_timestamp_part': files(['i']),
  'impala-iceberg_uppercase_col': { columns: ['region'], sql: 'SELECT 1 WHERE false' },
  'impala-iceberg_v2_delete_equality': values(['id', 'data'], `1, 'test_1_base'`, `2, 'test_2_updated'`),
  'impala-iceberg_v2_delete_equality_partitioned': values(
    ['i', 's'],
    `1, 'str1'`,
    `2, 'str2'`,
    `333333, 'str3'`,
    `4, 'str4'`,
    `1, 'str1'`,
    `222, 'str2'`,
  ),
  'impala-iceberg_v2_delete_positional': files(['id', 'data'], 'id <> 2', 'data/00000*.parquet'),
  'impala-iceberg_v2_no_deletes': files(['i', 's']),
  'impala-iceberg_v2_partitioned_position_deletes': {
    columns: actions,
    sql: `SELECT id, "user", action FROM read_parquet('$T/data/*/*_data.0.parq', hive_partitioning = false, filename = true) d
      WHERE NOT EXISTS (FROM read_parquet('$T/data/*/*delete*.parquet', hive_partitioning = false) x
        WHERE split_part(x.file_path, '/', -1) = split_part(d.filename, '/', -1) AND x.pos = d.file_row_number)`,
  },
  'impala-iceberg_v2_positional_delete_all_rows': { columns: ['i'], sql: 'SELECT 1 WHERE false' },
  // The initial default of j is -1, as the metadata says.
  'impala-v3-iceberg_v3_default_value': values(['i', 'j'], '1, -1', '2, 2'),
  'impala-v3-test_complex_default': values(['i', 'j.f1', 'j.f2'], '1, NULL, NULL', `2, 100, 'hello'`),
};

const root = sharedPath('samples', 'iceberg');
const why = root === null ? ` (${sharedReason('samples', 'iceberg')})` : '';

describe.skipIf(root === null)(`rows of tables of other writers${why}`, () => {
  const seen = root === null ? [] : sampleFolders(root);
  const duckdb = DuckDBInstance.create(':memory:');
  afterAll(async () => (await duckdb).closeSync());

  const expectedRows = async (folder: string, { sql }: Expected): Promise<readonly string[]> => {
    const connection = await (await duckdb).connect();
    const result = await connection.runAndReadAll(sql.replaceAll('$T', join(root!, folder)));
    const texts = result
      .getRowsJS()
      .map((row) => JSON.stringify(row.map((cell) => (cell === null ? null : plain(cell)))));
    connection.closeSync();
    return texts.sort();
  };

  test.each(seen.filter((folder) => folder in ROWS))('%s', async (folder) => {
    const expected = ROWS[folder]!;
    const { warehouse, table } = await openSample(root!, folder);
    try {
      const rows = await expectedRows(folder, expected);
      expect(await rowsAsText(warehouse, table, expected.columns)).toEqual(rows);
      expect(await warehouse.count(table)).toBe(rows.length);
    } finally {
      await warehouse.close();
    }
  });

  test.each(seen.filter((folder) => folder in REFUSED_SAMPLES))('%s is refused by name', async (folder) => {
    const { warehouse, table } = await openSample(root!, folder);
    try {
      const reading = warehouse
        .describe(table)
        .then(() => drain(warehouse.read(table)).then(() => warehouse.count(table)));
      await expect(reading).rejects.toMatchObject({ code: REFUSED_SAMPLES[folder] });
    } finally {
      await warehouse.close();
    }
  });

  test('every sample is either read or refused', () => {
    const known = [...Object.keys(ROWS), ...Object.keys(REFUSED_SAMPLES)];
    expect(known.toSorted()).toEqual(seen);
    expect(seen.length).toBeGreaterThan(40);
  });
});

function plain(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
