/** Iceberg's own names for what stands beside a row; they are no columns (rule L1d). */
const RESERVED: ReadonlySet<string> = new Set(['_file', '_pos', '_partition', '_spec_id', '_deleted']);

/** Gives each dataset and each of its columns a number, in the order in which they are first named. */
export class Interner {
  readonly namespaces: string[] = [];
  readonly names: string[] = [];
  readonly columnNames: string[] = [];
  /** Column to its dataset. */
  readonly columnDatasets: number[] = [];
  /** Dataset to the column that stands for the whole of it. */
  readonly wholes: number[] = [];
  readonly #byNamespace = new Map<string, Map<string, number>>();
  readonly #columns: Map<string, number>[] = [];
  /** The dataset asked for last: events name the same one many times over. */
  #last = { namespace: '', name: '', dataset: -1 };

  dataset(namespace: string, name: string): number {
    const last = this.#last;
    if (last.dataset >= 0 && last.name === name && last.namespace === namespace) return last.dataset;
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
      this.#columns.push(new Map());
      this.wholes.push(this.#add(dataset, '*'));
    }
    this.#last = { namespace, name, dataset };
    return dataset;
  }

  /** The number of a column, or -1 for a reserved name. */
  column(dataset: number, name: string): number {
    const columns = this.#columns[dataset]!;
    const known = columns.get(name);
    if (known !== undefined) return known;
    const column = RESERVED.has(name) ? -1 : this.#add(dataset, name);
    columns.set(name, column);
    return column;
  }

  /** The columns of a dataset that were named so far, by name; the whole is not among them. */
  columnsOf(dataset: number): ReadonlyMap<string, number> {
    return this.#columns[dataset]!;
  }

  #add(dataset: number, name: string): number {
    this.columnNames.push(name);
    this.columnDatasets.push(dataset);
    return this.columnNames.length - 1;
  }
}
