/** Numbers that look random and are the same from the same seed. For made-up data only, never for keys or names of files. */
export interface Chance {
  /** A number from 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `low` up to and including `high`. */
  int(low: number, high: number): number;
  /** True in `share` of the cases. */
  happens(share: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** The same values in another order. */
  shuffle<T>(values: readonly T[]): T[];
}

/** Splitmix32: one word of state, good enough for data that only has to look real. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    int,
    happens: (share) => next() < share,
    pick: (from) => from[int(0, from.length - 1)] as (typeof from)[number],
    shuffle: (values) => {
      const mixed = [...values];
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = int(0, last);
        [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
      }
      return mixed;
    },
  };
}
