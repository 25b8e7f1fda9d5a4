const PIECE = 1 << 14;

/** Keeps lists of numbers, equal ones once, and knows them by number. */
export class NumberLists {
  readonly #lists: Int32Array[] = [];
  readonly #byHash = new Map<number, number[]>();
  #piece = new Int32Array(0);
  #used = 0;
  #next = new Int32Array(256);
  #size = 0;
  #hash = 0;

  /** Begins the next list. */
  begin(): void {
    this.#size = 0;
    this.#hash = 0;
  }

  add(number: number): void {
    if (this.#size === this.#next.length) {
      const bigger = new Int32Array(this.#size * 2);
      bigger.set(this.#next);
      this.#next = bigger;
    }
    this.#next[this.#size++] = number;
    this.#hash = (Math.imul(this.#hash, 0x9e3779b1) + number) | 0;
  }

  /** Ends the list: its number, the same for the same numbers in the same order. */
  end(): number {
    const known = this.#byHash.get(this.#hash);
    for (const list of known ?? []) if (this.#equals(this.#lists[list]!)) return list;
    const made = this.#lists.length;
    this.#lists.push(this.#keep());
    if (known === undefined) this.#byHash.set(this.#hash, [made]);
    else known.push(made);
    return made;
  }

  of(list: number): Int32Array {
    return this.#lists[list]!;
  }

  /** A copy in one of few long arrays. */
  #keep(): Int32Array {
    if (this.#used + this.#size > this.#piece.length) {
      this.#piece = new Int32Array(Math.max(PIECE, this.#size));
      this.#used = 0;
    }
    const kept = this.#piece.subarray(this.#used, this.#used + this.#size);
    for (let at = 0; at < this.#size; at++) kept[at] = this.#next[at]!;
    this.#used += this.#size;
    return kept;
  }

  #equals(list: Int32Array): boolean {
    if (list.length !== this.#size) return false;
    for (let at = 0; at < this.#size; at++) if (list[at] !== this.#next[at]) return false;
    return true;
  }
}
