import type { EdgeSet } from '../collect/edge-sets.ts';
import type { WriteEdges } from '../lineage.ts';
import { ROLE, type RoleMask, SHAPE, VALUE } from '../roles.ts';
import type { TableIndex } from './table-index.ts';

/**
 * The edges of one write, ordered by their ends, with the roles of equal ones joined (rule L1b). Arrays of numbers, sorted when
 * they are asked for: an object for each edge would cost more than reading it.
 */
export class EdgeUnion {
  #from: number[] = [];
  #to: number[] = [];
  #roles: number[] = [];
  #sorted = true;

  addSet(set: EdgeSet, columnOf: Int32Array): void {
    for (let at = 0; at < set.from.length; at++)
      this.add(columnOf[set.from[at]!]!, columnOf[set.to[at]!]!, set.roles[at]!);
  }

  add(from: number, to: number, roles: RoleMask): void {
    this.#from.push(from);
    this.#to.push(to);
    this.#roles.push(roles);
    this.#sorted = false;
  }

  get size(): number {
    return this.#from.length;
  }

  /** The columns that some edge leads to. */
  targets(): ReadonlySet<number> {
    return new Set(this.#to);
  }

  /** All roles by which the columns of each table come in. */
  rolesByTable(tables: readonly number[]): ReadonlyMap<number, RoleMask> {
    const found = new Map<number, RoleMask>();
    for (const [at, from] of this.#from.entries()) {
      const table = tables[from]!;
      found.set(table, (found.get(table) ?? 0) | this.#roles[at]!);
    }
    return found;
  }

  /** Where an indirect role may hide a direct one, what is only indirect may be anything. */
  mayHideValues(): void {
    this.#join();
    this.#roles = this.#roles.map((mask) =>
      (mask & SHAPE) !== 0 && (mask & VALUE) === 0 ? mask | ROLE.unknown : mask,
    );
  }

  /** In a row-level write a column that only comes from itself has an unknown source (rule L1f). */
  doubtSelfOnly(table: number, sources: readonly number[], index: TableIndex): void {
    const whole = index.wholes[table]!;
    const others = new Set(this.#to.filter((to, at) => this.#from[at] !== to));
    const selfOnly = [...this.targets()].filter((to) => to !== whole && !others.has(to));
    for (const column of selfOnly)
      for (const source of sources) this.add(index.wholes[source]!, column, ROLE.unknown);
  }

  toArrays(): WriteEdges {
    this.#join();
    return {
      from: Int32Array.from(this.#from),
      to: Int32Array.from(this.#to),
      roles: Uint16Array.from(this.#roles),
    };
  }

  /** Sorts the edges by target and source, and joins equal ones. */
  #join(): void {
    if (this.#sorted) return;
    const [from, to, roles] = [this.#from, this.#to, this.#roles];
    const order = Uint32Array.from(from.keys()).sort((a, b) => to[a]! - to[b]! || from[a]! - from[b]!);
    this.#from = [];
    this.#to = [];
    this.#roles = [];
    for (const at of order) {
      const last = this.#from.length - 1;
      if (last >= 0 && this.#from[last] === from[at] && this.#to[last] === to[at])
        this.#roles[last]! |= roles[at]!;
      else {
        this.#from.push(from[at]!);
        this.#to.push(to[at]!);
        this.#roles.push(roles[at]!);
      }
    }
    this.#sorted = true;
  }
}
