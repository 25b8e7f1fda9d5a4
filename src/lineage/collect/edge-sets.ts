import type { WriteEdges } from '../lineage.ts';
import type { RoleMask } from '../roles.ts';
import { EdgePool } from './edge-pool.ts';

/** The edges of one facet, between columns of datasets. */
export type EdgeSet = WriteEdges;

/**
 * Facets said once. A run repeats its facet with every event, and a job with every run, so equal ones are kept once and
 * known by number: memory grows with what is said, not with how often.
 */
export class EdgeSets {
  readonly sets: EdgeSet[] = [];
  readonly #byHash = new Map<number, number[]>();
  readonly #pool = new EdgePool();
  #from = new Int32Array(256);
  #to = new Int32Array(256);
  #roles = new Uint16Array(256);
  #size = 0;
  #hash = 0;

  /** Begins the next facet. */
  begin(): void {
    this.#size = 0;
    this.#hash = 0;
  }

  add(from: number, to: number, roles: RoleMask): void {
    if (this.#size === this.#from.length) this.#grow();
    const at = this.#size++;
    this.#from[at] = from;
    this.#to[at] = to;
    this.#roles[at] = roles;
    // A sum, so that the order in which a facet lists its fields does not matter to the bucket.
    this.#hash = (this.#hash + mix(from, to, roles)) >>> 0;
  }

  /** Ends the facet: its number, the same for the same edges in the same order. */
  end(): number {
    const candidates = this.#byHash.get(this.#hash) ?? [];
    for (const candidate of candidates) if (this.#equals(this.sets[candidate]!)) return candidate;
    const id = this.sets.length;
    this.sets.push(this.#pool.keep({ from: this.#from, to: this.#to, roles: this.#roles }, this.#size));
    this.#byHash.set(this.#hash, [...candidates, id]);
    return id;
  }

  #equals(set: EdgeSet): boolean {
    if (set.from.length !== this.#size) return false;
    for (let at = 0; at < this.#size; at++) {
      if (set.from[at] !== this.#from[at] || set.to[at] !== this.#to[at]) return false;
      if (set.roles[at] !== this.#roles[at]) return false;
    }
    return true;
  }

  #grow(): void {
    const bigger = this.#from.length * 2;
    const copy = <T extends Int32Array | Uint16Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#from = copy(this.#from, new Int32Array(bigger));
    this.#to = copy(this.#to, new Int32Array(bigger));
    this.#roles = copy(this.#roles, new Uint16Array(bigger));
  }
}

function mix(from: number, to: number, roles: number): number {
  let hash = Math.imul(from, 0x9e3779b1) ^ Math.imul(to, 0x85ebca6b) ^ Math.imul(roles, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
