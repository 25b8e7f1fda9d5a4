/** Numbers texts in the order in which they are first seen: each distinct one is kept once. */
export class TextTable {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(first: readonly string[] = []) {
    for (const text of first) this.number(text);
  }

  /** The number of a text that was given one. */
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  /** The number of a text, given where it is new. */
  number(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.#numbers.set(text, number);
      this.texts.push(text);
    }
    return number;
  }
}
