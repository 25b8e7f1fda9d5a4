/** Numbers without duplicates, ascending; equal ones are one object with one id. */
export interface NumberSet {
  readonly id: number;
  readonly numbers: readonly number[];
}

/**
 * Gives equal sets of small numbers one object: runs repeat what they read day after day, and a Set for each would take most of the
 * memory that a long history needs.
 */
export class NumberSets {
  readonly #known = new Map<string | number, NumberSet>();
  readonly none = this.of([]);

  of(numbers: readonly number[]): NumberSet {
    const distinct = isAscending(numbers) ? numbers : [...new Set(numbers)].sort((a, b) => a - b);
    const key = distinct.length === 1 ? distinct[0]! : distinct.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = { id: this.#known.size, numbers: [...distinct] };
    this.#known.set(key, made);
    return made;
  }

  union(a: NumberSet, b: NumberSet): NumberSet {
    if (a === b || b.numbers.every((number) => a.numbers.includes(number))) return a;
    return a.numbers.length === 0 ? b : this.of([...a.numbers, ...b.numbers]);
  }
}

function isAscending(numbers: readonly number[]): boolean {
  for (let at = 1; at < numbers.length; at++) if (numbers[at - 1]! >= numbers[at]!) return false;
  return true;
}
