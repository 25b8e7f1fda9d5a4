import { PairTable } from './pair-table.ts';
import { TextTable } from './text-table.ts';

/** Iceberg's own names for what stands beside a row; they are no columns (rule L1d). */
const RESERVED = ['_file', '_pos', '_partition', '_spec_id', '_deleted'] as const;

/** Stands for the whole of a dataset where else the number of a column's name stands. */
export const WHOLE = -1;

/** Datasets that were asked for last, by a few bits of their names: an event names the same ones many times over. */
const RECENT = 64;

interface Known {
  readonly namespace: string;
  readonly name: string;
  readonly dataset: number;
}

/** Gives each dataset and each of its columns a number, in the order in which they are first named. */
export class Interner {
  readonly namespaces: string[] = [];
  readonly names: string[] = [];
  /** Names of columns, those of schemas too; the first ones are {@link RESERVED}. */
  readonly columnNames = new TextTable(RESERVED);
  /** Dataset to the column that stands for the whole of it. */
  readonly wholes: number[] = [];
  readonly #columns = new PairTable();
  readonly #byNamespace = new Map<string, Map<string, number>>();
  readonly #recent: (Known | undefined)[] = new Array<Known | undefined>(RECENT).fill(undefined);

  dataset(namespace: string, name: string): number {
    const slot = bitsOf(name);
    const recent = this.#recent[slot];
    if (recent !== undefined && recent.name === name && recent.namespace === namespace) return recent.dataset;
    let byName = this.#byNamespace.get(namespace);
    if (byName === undefined) {
      byName = new Map();
      this.#byNamespace.set(namespace, byName);
    }
    let dataset = byName.get(name);
    if (dataset === undefined) {
      dataset = this.names.length;
      byName.set(name, dataset);
      this.namespaces.push(namespace);
      this.names.push(name);
      this.wholes.push(this.#columns.number(dataset, WHOLE));
    }
    this.#recent[slot] = { namespace, name, dataset };
    return dataset;
  }

  /** The number of a column, or -1 for a reserved name. */
  column(dataset: number, name: string): number {
    return this.columnNamed(dataset, this.columnNames.number(name));
  }

  /** The same, by the number of the name. */
  columnNamed(dataset: number, name: number): number {
    return name < RESERVED.length ? -1 : this.#columns.number(dataset, name);
  }

  get columns(): number {
    return this.#columns.size;
  }

  /** Column to its dataset. */
  get columnDatasets(): Int32Array {
    return this.#columns.firsts;
  }

  /** Column to the number of its name, or {@link WHOLE}. */
  get nameNumbers(): Int32Array {
    return this.#columns.seconds;
  }
}

/** A few bits in which names that are used together are likely to differ: of their last characters. */
function bitsOf(name: string): number {
  const last = name.length - 1;
  if (last < 1) return 0;
  return (name.charCodeAt(last) + name.charCodeAt(last - 1) * 11) & (RECENT - 1);
}
