import { grown } from '../grown.ts';
import type { Interner } from './interner.ts';

const NONE = -1;

/** Gives the texts of scanned events ({@link EventParser}) the numbers of the {@link Interner}, without looking at them again. */
export class ScannedTexts {
  readonly #texts: readonly string[];
  readonly #interner: Interner;
  /** By text: its number as the name of a column. */
  #columnNames = new Int32Array(256).fill(NONE);
  /** By text that is the name of a dataset: the namespace that it had last, and the dataset that it was with that. */
  #namespaces = new Int32Array(256).fill(NONE);
  #datasets = new Int32Array(256);

  constructor(texts: readonly string[], interner: Interner) {
    this.#texts = texts;
    this.#interner = interner;
  }

  text(text: number): string {
    return this.#texts[text]!;
  }

  dataset(namespace: number, name: number): number {
    if (name >= this.#namespaces.length) this.#grow();
    if (this.#namespaces[name] === namespace) return this.#datasets[name]!;
    const dataset = this.#interner.dataset(this.text(namespace), this.text(name));
    this.#namespaces[name] = namespace;
    this.#datasets[name] = dataset;
    return dataset;
  }

  /** The number of the column's name. */
  columnName(text: number): number {
    if (text >= this.#columnNames.length) this.#grow();
    const known = this.#columnNames[text]!;
    if (known !== NONE) return known;
    const made = this.#interner.columnNames.number(this.text(text));
    this.#columnNames[text] = made;
    return made;
  }

  #grow(): void {
    const size = Math.max(this.#texts.length, 256) * 2;
    this.#columnNames = grown(this.#columnNames, { size, fill: NONE });
    this.#namespaces = grown(this.#namespaces, { size, fill: NONE });
    this.#datasets = grown(this.#datasets, { size, fill: NONE });
  }
}
