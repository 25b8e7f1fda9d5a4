import { resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { FailedError, InputError } from '../../errors.ts';
import { type CompileColumn, compileSql, type Predicate, quoteText } from '../../predicate/index.ts';
import type { TableDescription, Warehouse } from '../../warehouse/warehouse.ts';

/** Tables as far as counting needs them. */
export type CountableTables = Pick<Warehouse, 'list' | 'describe' | 'count' | 'close'>;

const READERS: Readonly<Record<string, string>> = {
  parquet: 'read_parquet',
  csv: 'read_csv',
  json: 'read_json',
  ndjson: 'read_json',
};

/** DuckDB's names for the types that a rule can read, as Iceberg writes them. */
const TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: 'boolean',
  INTEGER: 'int',
  BIGINT: 'long',
  FLOAT: 'float',
  DOUBLE: 'double',
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'timestamp',
  'TIMESTAMP WITH TIME ZONE': 'timestamptz',
  VARCHAR: 'string',
  UUID: 'uuid',
  BLOB: 'binary',
};

/** A file that stands for a table, `support.tickets=export/tickets.parquet`. */
interface TableFile {
  readonly table: string;
  /** The expression that DuckDB reads it by. */
  readonly source: string;
  readonly columns: readonly CompileColumn[];
}

/**
 * Opens files as tables: each of `given` is `TABLE=FILE`, Parquet, CSV or JSON. Nothing is written.
 *
 * @throws InputError `cli/table-file` for what is no such pair, or a file of another kind
 * @throws FailedError `cli/unreadable-table-file`
 */
export async function openTableFiles(given: readonly string[], cwd: string): Promise<CountableTables> {
  const instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false' });
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const files = new Map<string, TableFile>();
    for (const pair of given) {
      const file = await openFile(connection, pair, cwd);
      files.set(file.table, file);
    }
    return countable(connection, files);
  } catch (error) {
    connection.closeSync();
    throw error;
  }
}

async function openFile(connection: DuckDBConnection, pair: string, cwd: string): Promise<TableFile> {
  const [, table, path] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
  const reader = READERS[path?.split('.').at(-1)?.toLowerCase() ?? ''];
  if (table === undefined || path === undefined || reader === undefined) {
    throw new InputError('cli/table-file', `${JSON.stringify(pair)} names no table and file`, {
      remedy: `Write TABLE=FILE, where the file ends in ${Object.keys(READERS).join(', ')}`,
    });
  }
  const source = `${reader}(${quoteText('duckdb', resolve(cwd, path))})`;
  const described = await rowsOf(connection, table, `DESCRIBE SELECT * FROM ${source}`);
  const columns = described.map(([name, type]) => ({
    name: String(name),
    path: [String(name)],
    type: TYPES[String(type)] ?? String(type).toLowerCase().replace(',', ', '),
  }));
  return { table, source, columns };
}

function countable(connection: DuckDBConnection, files: ReadonlyMap<string, TableFile>): CountableTables {
  const file = (table: string): TableFile => files.get(table)!;
  return {
    list: async () => [...files.keys()].sort(),
    describe: async (table) => descriptionOf(file(table)),
    count: async (table, where) => {
      const { source, columns } = file(table);
      const rows = await rowsOf(
        connection,
        table,
        `SELECT count(*) FROM ${source}${condition(where, columns)}`,
      );
      return Number(rows[0]?.[0]);
    },
    close: async () => connection.closeSync(),
  };
}

const condition = (where: Predicate | undefined, columns: readonly CompileColumn[]): string =>
  where === undefined ? '' : ` WHERE ${compileSql(where, 'duckdb', { columns })}`;

/** DuckDB's own message may quote a value, so it is not passed on (rule E3). */
async function rowsOf(
  connection: DuckDBConnection,
  table: string,
  sql: string,
): Promise<readonly unknown[][]> {
  try {
    return (await connection.runAndReadAll(sql)).getRows();
  } catch {
    throw new FailedError('cli/unreadable-table-file', `The file for ${table} cannot be read`, {
      remedy: 'Check that it is there, whole, and of the kind that its name says',
      data: { table },
    });
  }
}

function descriptionOf({ table, source, columns }: TableFile): TableDescription {
  return {
    table,
    location: source,
    folders: [],
    format: 'iceberg',
    formatVersion: 0,
    columns: columns.map((column, id) => ({ ...column, id, required: false })),
    partitionColumns: [],
    sortColumns: [],
    properties: {},
    snapshots: [],
    currentSnapshotId: null,
    refs: [],
    rows: 0,
    dataFiles: 1,
    deleteFiles: 0,
    refusals: [],
  };
}
