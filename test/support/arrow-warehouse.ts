import { Table } from 'apache-arrow';
import { InputError } from '../../src/errors.ts';
import { evaluate } from '../../src/predicate/index.ts';
import type { Predicate } from '../../src/predicate/predicate.ts';
import type {
  Changed,
  Column,
  CommitNote,
  ExpireOptions,
  RowWork,
  TableDescription,
  Warehouse,
} from '../../src/warehouse/warehouse.ts';

/** A table in memory: its columns by Iceberg type, and its rows. */
export interface ArrowTable {
  readonly columns: Readonly<Record<string, string>>;
  readonly rows: Table;
  readonly properties?: Readonly<Record<string, string>>;
}

/**
 * A warehouse of Arrow tables for tests of rules on dates. Rows are told apart by `evaluate`, which has its own tests against
 * DuckDB. `commits` lists what was committed, `expired` what was asked of an expiry.
 */
export class ArrowWarehouse implements Partial<Warehouse> {
  readonly commits: { readonly table: string; readonly note: CommitNote }[] = [];
  readonly expired: { readonly table: string; readonly options: ExpireOptions }[] = [];
  /** Tables whose change fails, to stop a run half-way. */
  readonly broken = new Set<string>();
  readonly #tables: Map<string, ArrowTable>;

  constructor(tables: Readonly<Record<string, ArrowTable>>) {
    this.#tables = new Map(Object.entries(tables));
  }

  async list(): Promise<readonly string[]> {
    return [...this.#tables.keys()].sort();
  }

  async describe(name: string): Promise<TableDescription> {
    const { columns, properties, rows } = this.#table(name);
    return {
      table: name,
      location: `/memory/${name}`,
      folders: [`/memory/${name}`],
      format: 'iceberg',
      formatVersion: 2,
      columns: Object.entries(columns).map(
        ([column, type], index): Column => ({
          name: column,
          path: [column],
          id: index + 1,
          type,
          required: false,
        }),
      ),
      partitionColumns: [],
      sortColumns: [],
      properties: properties ?? {},
      snapshots: [],
      currentSnapshotId: this.#snapshot(name),
      refs: [],
      rows: rows.numRows,
      dataFiles: 1,
      deleteFiles: 0,
      refusals: [],
    };
  }

  async count(name: string, where?: Predicate): Promise<number> {
    const { rows } = this.#table(name);
    return where === undefined ? rows.numRows : evaluate(where, rows).filter(Boolean).length;
  }

  async change(name: string, work: RowWork, note: CommitNote): Promise<Changed> {
    if (this.broken.has(name)) throw new Error('the disk is full');
    const table = this.#table(name);
    const goes = evaluate(work.delete!, table.rows);
    const rowsDeleted = goes.filter(Boolean).length;
    const before = this.#snapshot(name);
    if (rowsDeleted > 0) {
      const kept = goes.flatMap((gone, row) => (gone ? [] : table.rows.slice(row, row + 1).batches));
      this.#tables.set(name, { ...table, rows: new Table(table.rows.schema, kept) });
      this.commits.push({ table: name, note });
    }
    return {
      snapshotBefore: before,
      snapshotAfter: this.#snapshot(name),
      rowsDeleted,
      rowsCleared: 0,
      rowsAdded: 0,
      filesAdded: 0,
      filesRemoved: 0,
    };
  }

  async expire(table: string, options: ExpireOptions) {
    this.expired.push({ table, options });
    return { snapshots: [], filesDeleted: [] };
  }

  /** The whole port; what a test does not expect to be called is missing, and fails. */
  get port(): Warehouse {
    return this as unknown as Warehouse;
  }

  #snapshot(name: string): bigint {
    return 9_007_199_254_740_993n + BigInt(this.commits.filter(({ table }) => table === name).length);
  }

  #table(name: string): ArrowTable {
    const table = this.#tables.get(name);
    if (table !== undefined) return table;
    throw new InputError('warehouse/no-such-table', `There is no table ${name}`, {
      remedy: 'Check the name',
    });
  }
}
