import { type Groups, groupBy } from '../group.ts';
import { isObject } from '../read/column-lineage.ts';
import { PairTable } from './pair-table.ts';
import { TextTable } from './text-table.ts';

/** Stands for a type that no event says. */
const UNTYPED = -1;

/** A column as schema facets have it. */
export interface SchemaColumn {
  readonly name: string;
  readonly type?: string;
}

/** What schema facets say: columns of datasets and their types, the union over all events (rule L1d), as numbers. */
export class Schemas {
  readonly #names: TextTable;
  readonly #types = new TextTable();
  readonly #columns = new PairTable();
  readonly #typeOf: number[] = [];

  /** `names` numbers the names of all columns. */
  constructor(names: TextTable) {
    this.#names = names;
  }

  /** Takes the `fields` of a schema facet; entries of a wrong shape say nothing. */
  take(dataset: number, fields: readonly unknown[]): void {
    for (const field of fields) {
      if (!isObject(field) || typeof field.name !== 'string') continue;
      const at = this.#columns.number(dataset, this.#names.number(field.name));
      if (typeof field.type === 'string') this.#typeOf[at] = this.#types.number(field.type);
      else if (at === this.#typeOf.length) this.#typeOf.push(UNTYPED);
    }
  }

  /** What was taken, by dataset, of which there are `datasets`. */
  byDataset(datasets: number): DatasetSchemas {
    const groups = groupBy(this.#columns.firsts, datasets);
    return new DatasetSchemas({
      groups,
      names: this.#names.texts,
      nameOf: this.#columns.seconds,
      types: this.#types.texts,
      typeOf: this.#typeOf,
    });
  }
}

interface SchemaArrays {
  readonly groups: Groups;
  readonly names: readonly string[];
  readonly nameOf: Int32Array;
  readonly types: readonly string[];
  readonly typeOf: readonly number[];
}

/** Schemas by dataset, each column in the order in which it was first named. */
export class DatasetSchemas {
  readonly #arrays: SchemaArrays;
  readonly #pairs = new PairTable();
  /** Columns of the same name and type are one object: most tables share theirs. */
  readonly #columns: SchemaColumn[] = [];

  constructor(arrays: SchemaArrays) {
    this.#arrays = arrays;
  }

  /** The numbers of the names of a dataset's columns. */
  namesOf(dataset: number): readonly number[] {
    const { groups, nameOf } = this.#arrays;
    return Array.from(itemsOf(groups, dataset), (at) => nameOf[at]!);
  }

  /** The columns of several datasets that are one table: of two types the later one, and any before none. */
  columnsOf(datasets: readonly number[]): readonly SchemaColumn[] {
    const { groups, nameOf, typeOf } = this.#arrays;
    const [first] = datasets;
    if (first === undefined) return [];
    if (datasets.length === 1)
      return Array.from(itemsOf(groups, first), (at) => this.#column(nameOf[at]!, typeOf[at]!));
    const union = new Map<number, number>();
    for (const dataset of datasets)
      for (const at of itemsOf(groups, dataset)) {
        const name = nameOf[at]!;
        if (typeOf[at] !== UNTYPED || !union.has(name)) union.set(name, typeOf[at]!);
      }
    return Array.from(union, ([name, type]) => this.#column(name, type));
  }

  #column(name: number, type: number): SchemaColumn {
    const { names, types } = this.#arrays;
    const pair = this.#pairs.number(name, type);
    if (pair === this.#columns.length)
      this.#columns.push(
        type === UNTYPED ? { name: names[name]! } : { name: names[name]!, type: types[type]! },
      );
    return this.#columns[pair]!;
  }
}

function itemsOf({ starts, items }: Groups, group: number): Int32Array {
  return items.subarray(starts[group], starts[group + 1]);
}
