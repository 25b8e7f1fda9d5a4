import type { Lineage } from '../../../../lineage/index.ts';
import type { Plan } from '../../plan.ts';
import type { TableGraph } from '../passages.ts';
import { visible } from '../visible.ts';
import type { PageColumn, PageTable } from './document.ts';

interface Listed {
  readonly name: string;
  readonly part: PageColumn['part'];
  readonly whole: boolean;
}

/** The columns of the page by table: those that events describe, that edges use, and that the plan names. */
export class ColumnList {
  readonly #lineage: Lineage;
  readonly #graph: TableGraph;
  /** Table to its place; tables that are not drawn come after those that are. */
  readonly #tables = new Map<string, number>();
  readonly #columns: Map<string, Listed>[] = [];
  /** Place of a column as it was first met: its table and its name there. */
  readonly #met: { readonly table: number; readonly name: string }[] = [];
  readonly #places = new Map<number, number>();
  #finals: number[] | undefined;

  constructor(plan: Plan, lineage: Lineage, graph: TableGraph) {
    this.#lineage = lineage;
    this.#graph = graph;
    const described = new Map(lineage.tables.map(({ table, columns }) => [table, columns]));
    for (const { table, step } of graph.nodes) {
      const { match = [], clear = [] } = plan.steps[step] ?? {};
      const own = this.#table(table);
      for (const { columns } of match) for (const name of columns) this.#add(own, name, 'key');
      for (const { column } of clear) this.#add(own, column, 'clear');
      for (const { name } of described.get(table) ?? []) this.#add(own, name, '');
    }
  }

  isDrawn(table: string): boolean {
    return (this.#tables.get(table) ?? Number.POSITIVE_INFINITY) < this.#graph.nodes.length;
  }

  /** A place for a column of the lineage, until all are known. */
  place(column: number): number {
    const known = this.#places.get(column);
    if (known !== undefined) return known;
    const { tableNames, tables, names } = this.#lineage.columns;
    const table = this.#table(tableNames[tables[column]!]!);
    const name = names[column]!;
    this.#add(table, name, this.#graph.keys.has(column) ? 'key' : '');
    this.#places.set(column, this.#met.length);
    return this.#met.push({ table, name }) - 1;
  }

  /** The place of a column in {@link listed}; no column may be placed after the first call. */
  final(place: number): number {
    this.#finals ??= this.#finalPlaces();
    return this.#finals[place]!;
  }

  listed(): { readonly tables: readonly PageTable[]; readonly columns: readonly PageColumn[] } {
    const tables: PageTable[] = [];
    const columns: PageColumn[] = [];
    for (const [name, table] of this.#tables) {
      const first = columns.length;
      for (const { name: column, part } of this.#sorted(table))
        columns.push({ name: visible(column), table, part });
      const { step = -1 } = this.#graph.nodes[table] ?? {};
      const drawn = table < this.#graph.nodes.length;
      tables.push({ name: visible(name), step, drawn, columns: [first, columns.length] });
    }
    return { tables, columns };
  }

  #table(name: string): number {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    this.#tables.set(name, this.#columns.length);
    return this.#columns.push(new Map()) - 1;
  }

  #add(table: number, name: string, part: PageColumn['part']): void {
    const columns = this.#columns[table]!;
    const known = columns.get(name);
    if (known === undefined || (known.part === '' && part !== ''))
      columns.set(name, { name, part, whole: name === '*' });
  }

  /** Keys first, then what is cleared, then the rest as events order them; the whole table comes last. */
  #sorted(table: number): readonly Listed[] {
    const rank = ({ part, whole }: Listed): number =>
      whole ? 3 : part === 'key' ? 0 : part === 'clear' ? 1 : 2;
    return [...this.#columns[table]!.values()].sort((a, b) => rank(a) - rank(b));
  }

  #finalPlaces(): number[] {
    const places: Map<string, number>[] = [];
    let next = 0;
    for (const table of this.#columns.keys())
      places[table] = new Map(this.#sorted(table).map(({ name }) => [name, next++]));
    return this.#met.map(({ table, name }) => places[table]!.get(name)!);
  }
}
