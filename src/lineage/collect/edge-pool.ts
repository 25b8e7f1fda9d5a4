import type { WriteEdges } from '../lineage.ts';

/** Edges in one piece of memory. */
const PIECE = 1 << 16;

/**
 * Keeps many short lists of edges in few long arrays: three arrays of its own for each list would cost more than the edges in
 * them, in memory and in what is done about it.
 */
export class EdgePool {
  #from = new Int32Array(0);
  #to = new Int32Array(0);
  #roles = new Uint16Array(0);
  #used = 0;

  /** Copies the first `size` edges. */
  keep({ from, to, roles }: WriteEdges, size: number): WriteEdges {
    if (this.#used + size > this.#from.length) {
      const piece = Math.max(PIECE, size);
      this.#from = new Int32Array(piece);
      this.#to = new Int32Array(piece);
      this.#roles = new Uint16Array(piece);
      this.#used = 0;
    }
    const begin = this.#used;
    const end = begin + size;
    this.#used = end;
    const kept = {
      from: this.#from.subarray(begin, end),
      to: this.#to.subarray(begin, end),
      roles: this.#roles.subarray(begin, end),
    };
    for (let at = 0; at < size; at++) {
      kept.from[at] = from[at]!;
      kept.to[at] = to[at]!;
      kept.roles[at] = roles[at]!;
    }
    return kept;
  }
}
