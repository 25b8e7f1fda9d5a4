import { isObject } from '../../values/is-object.ts';
import { NO_TEXT } from '../read/scan/byte-table.ts';
import type { SchemaScan } from '../read/scan/schema-scan.ts';
import { NumberLists } from './number-lists.ts';
import { PairTable } from './pair-table.ts';
import type { ScannedTexts } from './scanned-texts.ts';
import { TextTable } from './text-table.ts';

/** Stands for a type that no event says. */
const UNTYPED = -1;

/** A column as schema facets have it. */
export interface SchemaColumn {
  readonly name: string;
  readonly type?: string;
}

/** The schemas that one dataset was said to have: as they were first said, and as they were last said. */
interface Said {
  readonly first: Set<number>;
  readonly last: Set<number>;
}

/**
 * What schema facets say: columns of datasets and their types, the union over all events (rule L1d). Events repeat the schemas of
 * everything that they name, so each is kept once, as a list of numbers, and datasets have few of them.
 */
export class Schemas {
  readonly #names: TextTable;
  readonly #types = new TextTable();
  /** Pairs of a name and a type and one, as lists. */
  readonly #columns = new PairTable();
  readonly #lists = new NumberLists();
  /** By dataset: its only schema, or all of them. */
  readonly #of: (number | Said | undefined)[] = [];
  /** Names and types as texts of scans, in turns, and by such a list the schema that it is. */
  readonly #scanned = new NumberLists();
  readonly #schemaOf: (number | undefined)[] = [];

  /** `names` numbers the names of all columns. */
  constructor(names: TextTable) {
    this.#names = names;
  }

  /** Takes the `fields` of a schema facet; entries of a wrong shape say nothing. */
  take(dataset: number, fields: readonly unknown[]): void {
    this.#lists.begin();
    for (const field of fields) {
      if (!isObject(field) || typeof field.name !== 'string') continue;
      const type = typeof field.type === 'string' ? this.#types.number(field.type) : UNTYPED;
      this.#lists.add(this.#columns.number(this.#names.number(field.name), type + 1));
    }
    this.#add(dataset, this.#lists.end());
  }

  /** Takes what was cut out of a schema facet. */
  takeScanned(dataset: number, { scan, begin, end, texts }: ScannedSchema): void {
    const scanned = this.#scanned;
    scanned.begin();
    for (let at = begin; at < end; at++) {
      scanned.add(scan.names[at]!);
      scanned.add(scan.types[at]!);
    }
    const list = scanned.end();
    let schema = this.#schemaOf[list];
    if (schema === undefined) {
      schema = this.#numbered(scanned.of(list), texts);
      this.#schemaOf[list] = schema;
    }
    this.#add(dataset, schema);
  }

  #numbered(scanned: Int32Array, texts: ScannedTexts): number {
    this.#lists.begin();
    for (let at = 0; at < scanned.length; at += 2) {
      const [name, type] = [scanned[at]!, scanned[at + 1]!];
      const typed = type === NO_TEXT ? UNTYPED : this.#types.number(texts.text(type));
      this.#lists.add(this.#columns.number(texts.columnName(name), typed + 1));
    }
    return this.#lists.end();
  }

  /** What was taken. */
  finish(): DatasetSchemas {
    return new DatasetSchemas({
      lists: this.#lists,
      of: this.#of,
      names: this.#names.texts,
      types: this.#types.texts,
      nameOf: this.#columns.firsts,
      typeOf: this.#columns.seconds,
    });
  }

  #add(dataset: number, schema: number): void {
    const known = this.#of[dataset];
    if (known === schema) return;
    if (known === undefined) this.#of[dataset] = schema;
    else if (typeof known === 'number')
      this.#of[dataset] = { first: new Set([known, schema]), last: new Set([known, schema]) };
    else {
      known.first.add(schema);
      known.last.delete(schema);
      known.last.add(schema);
    }
  }
}

/** Columns of a scan. */
export interface ScannedSchema {
  readonly scan: SchemaScan;
  readonly begin: number;
  readonly end: number;
  readonly texts: ScannedTexts;
}

interface SchemaArrays {
  readonly lists: NumberLists;
  readonly of: readonly (number | Said | undefined)[];
  readonly names: readonly string[];
  readonly types: readonly string[];
  /** By column: the number of its name, and that of its type and one. */
  readonly nameOf: Int32Array;
  readonly typeOf: Int32Array;
}

/** Schemas by dataset, each column in the order in which it was first named. */
export class DatasetSchemas {
  readonly #arrays: SchemaArrays;
  /** Columns of the same name and type are one object, and datasets of one schema share its list. */
  readonly #columns: (SchemaColumn | undefined)[] = [];
  readonly #listed: (readonly SchemaColumn[] | undefined)[] = [];

  constructor(arrays: SchemaArrays) {
    this.#arrays = arrays;
  }

  /** The numbers of the names of a dataset's columns. */
  namesOf(dataset: number): readonly number[] {
    const { lists, nameOf } = this.#arrays;
    return [
      ...new Set(
        this.#schemasOf(dataset).first.flatMap((schema) =>
          Array.from(lists.of(schema), (column) => nameOf[column]!),
        ),
      ),
    ];
  }

  /** The columns of several datasets that are one table: of two types the later one, and any before none. */
  columnsOf(datasets: readonly number[]): readonly SchemaColumn[] {
    const { lists, of, nameOf, typeOf } = this.#arrays;
    const said = of[datasets[0]!];
    if (datasets.length === 1 && typeof said === 'number') return this.#list(said);
    const schemas = datasets.map((dataset) => this.#schemasOf(dataset));
    const all = new Set(schemas.flatMap(({ first }) => first));
    const [only] = all;
    if (only === undefined) return [];
    if (all.size === 1) return this.#list(only);
    const columns = new Map<number, number>();
    for (const schema of all) for (const column of lists.of(schema)) columns.set(nameOf[column]!, column);
    for (const schema of schemas.flatMap(({ last }) => last))
      for (const column of lists.of(schema)) {
        const known = columns.get(nameOf[column]!)!;
        if (typeOf[column] !== 0 || typeOf[known] === 0) columns.set(nameOf[column]!, column);
      }
    return Array.from(columns.values(), (column) => this.#column(column));
  }

  #schemasOf(dataset: number): { readonly first: readonly number[]; readonly last: readonly number[] } {
    const said = this.#arrays.of[dataset];
    if (said === undefined) return { first: [], last: [] };
    if (typeof said === 'number') return { first: [said], last: [said] };
    return { first: [...said.first], last: [...said.last] };
  }

  /** The columns of one schema; one that is listed twice has its last type. */
  #list(schema: number): readonly SchemaColumn[] {
    const known = this.#listed[schema];
    if (known !== undefined) return known;
    const { lists, nameOf, typeOf } = this.#arrays;
    const columns = new Map<number, number>();
    for (const column of lists.of(schema))
      if (typeOf[column] !== 0 || !columns.has(nameOf[column]!)) columns.set(nameOf[column]!, column);
    const made = Array.from(columns.values(), (column) => this.#column(column));
    this.#listed[schema] = made;
    return made;
  }

  #column(column: number): SchemaColumn {
    const known = this.#columns[column];
    if (known !== undefined) return known;
    const { names, types, nameOf, typeOf } = this.#arrays;
    const [name, type] = [names[nameOf[column]!]!, typeOf[column]! - 1];
    const made = type === UNTYPED ? { name } : { name, type: types[type]! };
    this.#columns[column] = made;
    return made;
  }
}
