import { type Comparable, compareValues } from '../manifest/single-value.ts';
import type { ValueRange } from './extent.ts';

/** Values of one type in ascending order, so that any number of them is looked up by halving (hazard 47). */
export class SortedValues {
  readonly #values: readonly Comparable[];

  constructor(values: readonly Comparable[]) {
    this.#values = [...values].sort(compareValues);
  }

  /** Whether one of them lies in a range; a side of it that is not known is open. */
  meets({ lower, upper }: Pick<ValueRange, 'lower' | 'upper'>): boolean {
    const found = this.#values[lower === undefined ? 0 : this.#firstNotBelow(lower)];
    return found !== undefined && (upper === undefined || compareValues(found, upper) <= 0);
  }

  #firstNotBelow(lower: Comparable): number {
    let [from, to] = [0, this.#values.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (compareValues(this.#values[middle]!, lower) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
