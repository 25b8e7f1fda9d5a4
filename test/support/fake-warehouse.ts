import { InputError, RefusedError } from '../../src/errors.ts';
import type { Predicate } from '../../src/predicate/predicate.ts';
import type { Literal } from '../../src/values/literal.ts';
import type {
  Changed,
  CommitNote,
  ExpireOptions,
  RowWork,
  Snapshot,
  TableDescription,
  TableRefusal,
  Tuple,
  Warehouse,
} from '../../src/warehouse/warehouse.ts';

export type FakeRow = Readonly<Record<string, Literal | null>>;

export interface FakeTable {
  /** Column to Iceberg type. */
  readonly columns: Readonly<Record<string, string>>;
  readonly rows: readonly FakeRow[];
  readonly refusals?: readonly TableRefusal[];
  readonly properties?: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  readonly partitionColumns?: readonly string[];
}

interface State {
  readonly table: FakeTable;
  properties: Record<string, string>;
  /** Oldest first; the last is current. */
  snapshots: (Snapshot & { readonly rows: readonly FakeRow[] })[];
}

/**
 * Tables in memory for tests of what stands above the `Warehouse` port. Written row by row and independent of the library's
 * predicates. It keeps no files. `calls` lists what changed something, in order.
 */
export class FakeWarehouse implements Partial<Warehouse> {
  readonly calls: string[] = [];
  readonly #states = new Map<string, State>();
  #clock = 0;

  constructor(tables: Readonly<Record<string, FakeTable>>) {
    for (const [name, table] of Object.entries(tables)) {
      const state: State = { table, properties: { ...table.properties }, snapshots: [] };
      this.#states.set(name, state);
      this.#commit(state, table.rows, 'append', {});
    }
  }

  async list(): Promise<readonly string[]> {
    return [...this.#states.keys()].sort();
  }

  async describe(name: string): Promise<TableDescription> {
    const { table, properties, snapshots } = this.#state(name);
    return {
      table: name,
      location: `/fake/${name}`,
      folders: [`/fake/${name}`],
      format: 'iceberg',
      formatVersion: 2,
      columns: Object.entries(table.columns).map(([column, type], index) => ({
        name: column,
        path: column.split('.'),
        id: index + 1,
        type,
        required: table.required?.includes(column) ?? false,
      })),
      partitionColumns: table.partitionColumns ?? [],
      sortColumns: [],
      properties: { ...properties },
      snapshots: snapshots.map(({ rows: _, ...snapshot }) => snapshot),
      currentSnapshotId: snapshots.at(-1)?.id ?? null,
      refs: [],
      rows: snapshots.at(-1)?.rows.length ?? 0,
      dataFiles: 1,
      deleteFiles: 0,
      refusals: table.refusals ?? [],
    };
  }

  async count(name: string, where?: Predicate, at?: { readonly snapshotId?: bigint }): Promise<number> {
    return this.rows(name, at?.snapshotId).filter((row) => where === undefined || truth(where, row) === true)
      .length;
  }

  async *distinct(name: string, columns: readonly string[], where?: Predicate): AsyncIterable<Tuple> {
    const rows = this.rows(name).filter((row) => where === undefined || truth(where, row) === true);
    const tuples = rows.map((row) => columns.map((column) => row[column] ?? null));
    yield* new Map(tuples.map((tuple) => [JSON.stringify(tuple), tuple])).values();
  }

  async change(name: string, work: RowWork, note: CommitNote): Promise<Changed> {
    const state = this.#state(name);
    const before = state.snapshots.at(-1)!;
    const goes = (row: FakeRow) => work.delete !== undefined && truth(work.delete, row) === true;
    const cleared = (row: FakeRow) => work.clear !== undefined && truth(work.clear.where, row) === true;
    const kept = before.rows.filter((row) => !goes(row));
    const rows = kept.map((row) => (cleared(row) ? { ...row, ...nulls(work) } : row));
    const rowsDeleted = before.rows.length - kept.length;
    const rowsCleared = kept.filter(cleared).length;
    this.calls.push(`change ${name}`);
    if (rowsDeleted + rowsCleared > 0) this.#commit(state, rows, 'overwrite', note);
    return {
      snapshotBefore: before.id,
      snapshotAfter: state.snapshots.at(-1)!.id,
      rowsDeleted,
      rowsCleared,
      rowsAdded: 0,
      filesAdded: 0,
      filesRemoved: 0,
    };
  }

  async scrub(name: string, note: CommitNote) {
    const state = this.#state(name);
    const before = state.snapshots.at(-1)!;
    const dirty = before.operation !== 'replace';
    this.calls.push(`scrub ${name}`);
    if (dirty) this.#commit(state, before.rows, 'replace', note);
    return {
      snapshotBefore: before.id,
      snapshotAfter: state.snapshots.at(-1)!.id,
      manifestsRewritten: dirty ? 1 : 0,
      entriesDropped: 0,
      boundsDropped: dirty ? 1 : 0,
      statisticsFilesDropped: 0,
    };
  }

  async expire(name: string, options: ExpireOptions) {
    const state = this.#state(name);
    if (state.table.refusals?.some((refusal) => refusal.code === 'gc-disabled')) {
      throw new RefusedError('warehouse/gc-disabled', `${name} is kept`, { remedy: 'Ask its owner' });
    }
    const current = state.snapshots.at(-1)!;
    const gone = state.snapshots.filter((each) => each !== current && each.timestamp < options.olderThan);
    state.snapshots = state.snapshots.filter((each) => !gone.includes(each));
    this.calls.push(`expire ${name} ${gone.length}`);
    return { snapshots: gone.map((each) => each.id), filesDeleted: [] };
  }

  async unreferenced() {
    return [];
  }

  async storageRefusals() {
    return [];
  }

  async purgeVersions() {
    return null;
  }

  async sweep(name: string) {
    this.calls.push(`sweep ${name}`);
    return { deleted: [], young: [] };
  }

  async setProperties(name: string, set: Readonly<Record<string, string>>) {
    Object.assign(this.#state(name).properties, set);
    this.calls.push(`set ${name}`);
  }

  /** The rows as they are, or as a snapshot had them. */
  rows(name: string, snapshotId?: bigint): readonly FakeRow[] {
    const { snapshots } = this.#state(name);
    const found =
      snapshotId === undefined ? snapshots.at(-1) : snapshots.find((each) => each.id === snapshotId);
    if (found === undefined) throw new InputError('warehouse/no-such-snapshot', 'gone', { remedy: 'none' });
    return found.rows;
  }

  /** Adds rows in a commit, as a pipeline would. */
  load(name: string, rows: readonly FakeRow[]): void {
    const state = this.#state(name);
    this.#commit(state, [...this.rows(name), ...rows], 'append', {});
  }

  /** The whole port; what a test does not expect to be called is missing, and fails. */
  get port(): Warehouse {
    return this as unknown as Warehouse;
  }

  #state(name: string): State {
    const state = this.#states.get(name);
    if (state !== undefined) return state;
    throw new InputError('warehouse/no-such-table', `There is no table ${name}`, {
      remedy: 'Check the name',
    });
  }

  #commit(state: State, rows: readonly FakeRow[], operation: string, note: CommitNote): void {
    this.#clock += 1;
    const parentId = state.snapshots.at(-1)?.id ?? null;
    const id = 9_007_199_254_740_993n + BigInt(this.#clock);
    state.snapshots.push({ id, parentId, timestamp: this.#clock, operation, summary: note, rows });
  }
}

/** Three-valued: null is unknown. */
function truth(predicate: Predicate, row: FakeRow): boolean | null {
  switch (predicate.kind) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'is-null':
      return (row[predicate.column] ?? null) === null;
    case 'in':
      return any(predicate.values.map((value) => equal(row[predicate.column] ?? null, value)));
    case 'compare': {
      const same = equal(row[predicate.column] ?? null, predicate.value);
      if (predicate.op === '=') return same;
      if (predicate.op === '<>') return same === null ? null : !same;
      throw new Error(`The fake does not know ${predicate.op}`);
    }
    case 'not': {
      const inner = truth(predicate.of, row);
      return inner === null ? null : !inner;
    }
    case 'and': {
      const inner = any(predicate.of.map((each) => invert(truth(each, row))));
      return invert(inner);
    }
    case 'or':
      return any(predicate.of.map((each) => truth(each, row)));
    default:
      throw new Error(`The fake does not know ${predicate.kind}`);
  }
}

function any(values: readonly (boolean | null)[]): boolean | null {
  if (values.includes(true)) return true;
  return values.includes(null) ? null : false;
}

function invert(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}

/** As strict as an engine: a constant of another type than the column's is a fault of the caller. */
function equal(cell: Literal | null, value: Literal): boolean | null {
  if (cell === null) return null;
  if (cell.type !== value.type) throw new Error(`A ${cell.type} column is compared with a ${value.type}`);
  return cell.value === value.value;
}

function nulls(work: RowWork): FakeRow {
  return Object.fromEntries((work.clear?.columns ?? []).map(({ column }) => [column, null]));
}
