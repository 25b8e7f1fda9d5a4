import { EdgePool } from '../collect/edge-pool.ts';
import type { EdgeSet } from '../collect/edge-sets.ts';
import type { WriteEdges } from '../lineage.ts';
import { ROLE, type RoleMask, SHAPE, VALUE } from '../roles.ts';
import type { TableIndex } from './table-index.ts';

/**
 * The edges of one write, ordered by their ends, with the roles of equal ones joined (rule L1b). Arrays of numbers that one
 * write after another uses: an object for each edge would cost more than reading it.
 */
export class EdgeUnion {
  readonly #index: TableIndex;
  readonly #columns: number;
  readonly #pool = new EdgePool();
  #from = new Int32Array(256);
  #to = new Int32Array(256);
  #roles = new Uint16Array(256);
  #keys = new Float64Array(256);
  #size = 0;

  constructor(index: TableIndex) {
    this.#index = index;
    this.#columns = index.columnTables.length;
  }

  /** Begins the next write. */
  begin(): void {
    this.#size = 0;
  }

  addSet(set: EdgeSet): void {
    const { columnOf } = this.#index;
    for (let at = 0; at < set.from.length; at++)
      this.add(columnOf[set.from[at]!]!, columnOf[set.to[at]!]!, set.roles[at]!);
  }

  add(from: number, to: number, roles: RoleMask): void {
    if (this.#size === this.#from.length) this.#grow();
    const at = this.#size++;
    this.#from[at] = from;
    this.#to[at] = to;
    this.#roles[at] = roles;
  }

  get size(): number {
    return this.#size;
  }

  /** The columns that some edge leads to. */
  targets(): ReadonlySet<number> {
    return new Set(this.#to.subarray(0, this.#size));
  }

  /** All roles by which the columns of each table come in. */
  rolesByTable(): ReadonlyMap<number, RoleMask> {
    const tables = this.#index.columnTables;
    const found = new Map<number, RoleMask>();
    let [last, mask] = [-1, 0];
    for (let at = 0; at < this.#size; at++) {
      const table = tables[this.#from[at]!]!;
      const roles = this.#roles[at]!;
      if (table === last && (mask | roles) === mask) continue;
      last = table;
      mask = (found.get(table) ?? 0) | roles;
      found.set(table, mask);
    }
    return found;
  }

  /** Where an indirect role may hide a direct one, what is only indirect may be anything. */
  mayHideValues(): void {
    this.#join();
    for (let at = 0; at < this.#size; at++) {
      const mask = this.#roles[at]!;
      if ((mask & SHAPE) !== 0 && (mask & VALUE) === 0) this.#roles[at] = mask | ROLE.unknown;
    }
  }

  /** In a row-level write a column that only comes from itself has an unknown source (rule L1f). */
  doubtSelfOnly(table: number, sources: readonly number[]): void {
    const { wholes } = this.#index;
    const to = this.#to.subarray(0, this.#size);
    const others = new Set(to.filter((column, at) => this.#from[at] !== column));
    const selfOnly = [...this.targets()].filter((column) => column !== wholes[table] && !others.has(column));
    for (const column of selfOnly)
      for (const source of sources) this.add(wholes[source]!, column, ROLE.unknown);
  }

  toArrays(): WriteEdges {
    this.#join();
    return this.#pool.keep({ from: this.#from, to: this.#to, roles: this.#roles }, this.#size);
  }

  /** Sorts the edges by target and source, and joins equal ones. */
  #join(): void {
    const [from, to, columns, size] = [this.#from, this.#to, this.#columns, this.#size];
    const keys = this.#keys;
    // Exact up to 94 million columns.
    for (let at = 0; at < size; at++) keys[at] = to[at]! * columns + from[at]!;
    if (!this.#sortInPlace()) this.#sortByCopy();
    let distinct = 0;
    for (let at = 0; at < size; at++) {
      const roles = this.#roles[at]!;
      if (distinct > 0 && keys[at] === keys[distinct - 1]) this.#roles[distinct - 1]! |= roles;
      else {
        keys[distinct] = keys[at]!;
        this.#roles[distinct] = roles;
        distinct += 1;
      }
    }
    for (let at = 0; at < distinct; at++) {
      to[at] = Math.floor(keys[at]! / columns);
      from[at] = keys[at]! - to[at]! * columns;
    }
    this.#size = distinct;
  }

  /** Sorts keys and roles by insertion: producers list columns nearly in order. False where these are not. */
  #sortInPlace(): boolean {
    const [keys, roles, size] = [this.#keys, this.#roles, this.#size];
    let moves = size * 8;
    for (let next = 1; next < size; next++) {
      const key = keys[next]!;
      if (keys[next - 1]! <= key) continue;
      const role = roles[next]!;
      let at = next;
      for (; at > 0 && keys[at - 1]! > key; at--) {
        keys[at] = keys[at - 1]!;
        roles[at] = roles[at - 1]!;
      }
      keys[at] = key;
      roles[at] = role;
      moves -= next - at;
      if (moves < 0) return false;
    }
    return true;
  }

  #sortByCopy(): void {
    const size = this.#size;
    const keys = this.#keys.slice(0, size);
    const roles = this.#roles.slice(0, size);
    const order = new Uint32Array(size).map((_, at) => at).sort((a, b) => keys[a]! - keys[b]!);
    for (const [at, from] of order.entries()) {
      this.#keys[at] = keys[from]!;
      this.#roles[at] = roles[from]!;
    }
  }

  #grow(): void {
    const [from, to, roles] = [this.#from, this.#to, this.#roles];
    const bigger = from.length * 2;
    this.#from = new Int32Array(bigger);
    this.#to = new Int32Array(bigger);
    this.#roles = new Uint16Array(bigger);
    this.#keys = new Float64Array(bigger);
    this.#from.set(from);
    this.#to.set(to);
    this.#roles.set(roles);
  }
}
