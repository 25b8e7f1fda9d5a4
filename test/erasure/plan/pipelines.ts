import type { From, JobRun, Use } from '../../support/openlineage.ts';

/** A value with the people whose rows it came from. Two cells are equal where their values are. */
export interface Cell {
  readonly value: string | number | null;
  readonly who: ReadonlySet<number>;
}

export type Row = Readonly<Record<string, Cell>>;
export type Store = Map<string, readonly Row[]>;

const NULL: Cell = { value: null, who: new Set() };

/** What one statement makes: the rows, out of a store, and what Spark's listener would say of it. */
export interface Statement {
  readonly output: string;
  readonly columns: readonly string[];
  readonly replaces: boolean;
  readonly run: (store: Store) => readonly Row[];
  readonly event: JobRun;
}

/** The sources: people (who refer each other), their visits and tickets, and shops, which are nobody's. */
export function sources(): Store {
  const row = (who: number | null, values: Record<string, string | number | null>): Row =>
    Object.fromEntries(
      Object.entries(values).map(([column, value]) => [
        column,
        { value, who: new Set(who === null || value === null ? [] : [who]) },
      ]),
    );
  return new Map<string, readonly Row[]>([
    [
      's.people',
      [1, 2, 3, 4].map((id) => row(id, { pid: id, name: `name${id}`, ref: id === 1 ? 3 : id - 1 })),
    ],
    [
      's.visits',
      [1, 1, 2, 3, 3, 4].map((id, at) =>
        row(id, { vid: 100 + at, pid: id, shop: 10 + (at % 3), note: `note${at}` }),
      ),
    ],
    ['s.tickets', [1, 2, 2, 4].map((id, at) => row(id, { tid: 200 + at, pid: id, mail: `mail${at}` }))],
    ['s.shops', [10, 11, 12].map((shop) => row(null, { shop, label: `shop${shop}` }))],
  ]);
}

export const SOURCE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  's.people': ['pid', 'name', 'ref'],
  's.visits': ['vid', 'pid', 'shop', 'note'],
  's.tickets': ['tid', 'pid', 'mail'],
  's.shops': ['shop', 'label'],
};

/** Choices of the generator, taken one after another. */
export class Choices {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(limit: number): number {
    const number = this.#numbers[this.#at++ % this.#numbers.length]!;
    return number % limit;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/** A column of the statement before it is named: its sources with roles, and how it is computed from a joined row. */
interface Made {
  readonly name: string;
  readonly from: readonly From[];
  readonly cell: (row: Row) => Cell;
}

const used = (column: string, ...uses: Use[]): From => [column, ...uses];

/** Makes a statement that writes `output` out of one or two of the tables. */
export function makeStatement(
  choices: Choices,
  output: string,
  tables: ReadonlyMap<string, readonly string[]>,
  replaces: boolean,
  number: number,
): Statement {
  const kinds = [project, project, join, union, aggregate, window] as const;
  const { columns, rows, run, inputs } = choices.of(kinds)(choices, tables);
  const event: JobRun = {
    job: replaces ? `make ${output}` : `app${number}.append_data.${output.replace('.', '_')}`,
    producer: 'https://github.com/OpenLineage/OpenLineage/tree/1.53.0/integration/spark',
    output,
    columns: Object.fromEntries(columns.map(({ name, from }) => [name, from])),
    rows,
    inputs,
    at: number,
    runId: `run ${number}`,
    ...(replaces ? { lifecycle: 'CREATE' as const } : {}),
  };
  return { output, columns: columns.map(({ name }) => name), replaces, run, event };
}

interface Query {
  readonly columns: readonly Made[];
  readonly rows: readonly From[];
  readonly inputs: readonly string[];
  readonly run: (store: Store) => readonly Row[];
}

type Tables = ReadonlyMap<string, readonly string[]>;

/** Columns taken over, computed from, hashed, or left out; perhaps filtered. */
function project(choices: Choices, tables: Tables): Query {
  const table = choices.of([...tables.keys()]);
  const columns = pick(choices, tables.get(table)!).map((column) => taken(choices, table, column));
  const filter = choices.below(3) === 0 ? choices.of(tables.get(table)!) : null;
  return {
    columns,
    rows: filter === null ? [] : [used(`${table}.${filter}`, 'FILTER')],
    inputs: [table],
    run: (store) =>
      store
        .get(table)!
        .filter((row) => filter === null || row[filter]!.value !== null)
        .map((row) => build(columns, row)),
  };
}

function join(choices: Choices, tables: Tables): Query {
  const [a, b] = [choices.of([...tables.keys()]), choices.of([...tables.keys()])];
  const [x, y] = [choices.of(tables.get(a)!), choices.of(tables.get(b)!)];
  const left = choices.below(2) === 0;
  const mine = pick(choices, tables.get(a)!).map((column) => taken(choices, a, column, 'a_'));
  const theirs = pick(choices, tables.get(b)!).map((column) => taken(choices, b, column, 'b_'));
  return {
    columns: [...mine, ...theirs],
    // Spark filters the join columns of a side whose unmatched rows it drops.
    rows: [
      left ? used(`${a}.${x}`, 'JOIN') : used(`${a}.${x}`, 'JOIN', 'FILTER'),
      used(`${b}.${y}`, 'JOIN', 'FILTER'),
    ],
    inputs: [a, b],
    run: (store) =>
      store.get(a)!.flatMap((row) => {
        const partners = store
          .get(b)!
          .filter((other) => other[y]!.value !== null && String(other[y]!.value) === String(row[x]!.value));
        const nothing = Object.fromEntries(tables.get(b)!.map((column) => [column, NULL]));
        return (left && partners.length === 0 ? [nothing] : partners).map((other) => ({
          ...build(mine, row),
          ...build(theirs, other),
        }));
      }),
  };
}

/** Two branches, whose columns may be empty in one of them. */
function union(choices: Choices, tables: Tables): Query {
  const [a, b] = [choices.of([...tables.keys()]), choices.of([...tables.keys()])];
  const width = 1 + choices.below(3);
  const pairs = Array.from({ length: width }, (_, at) => ({
    name: `u${at}`,
    mine: choices.below(5) === 0 ? null : choices.of(tables.get(a)!),
    theirs: choices.below(5) === 0 ? null : choices.of(tables.get(b)!),
  }));
  const columns = pairs.map(({ name, mine, theirs }): Made => {
    const from = [...(mine === null ? [] : [`${a}.${mine}`]), ...(theirs === null ? [] : [`${b}.${theirs}`])];
    return { name, from: [...new Set(from)], cell: () => NULL };
  });
  const branch = (row: Row, side: 'mine' | 'theirs'): Row =>
    Object.fromEntries(pairs.map((pair) => [pair.name, pair[side] === null ? NULL : row[pair[side]]!]));
  return {
    columns,
    rows: [],
    inputs: [a, b],
    run: (store) => [
      ...store.get(a)!.map((row) => branch(row, 'mine')),
      ...store.get(b)!.map((row) => branch(row, 'theirs')),
    ],
  };
}

/** Grouped by one column or two, with a maximum and a count. */
function aggregate(choices: Choices, tables: Tables): Query {
  const table = choices.of([...tables.keys()]);
  const all = tables.get(table)!;
  const groups = [...new Set([choices.of(all), choices.of(all)])];
  const [most, counted] = [choices.of(all), choices.of(all)];
  const columns: Made[] = [
    ...groups.map((column) => ({ name: column, from: [`${table}.${column}`], cell: () => NULL })),
    { name: 'most', from: [used(`${table}.${most}`, 'AGGREGATION')], cell: () => NULL },
    { name: 'n', from: [used(`${table}.${counted}`, 'COUNT')], cell: () => NULL },
  ];
  return {
    columns,
    rows: groups.map((column) => used(`${table}.${column}`, 'GROUP_BY')),
    inputs: [table],
    run: (store) => {
      const found = new Map<string, Row[]>();
      for (const row of store.get(table)!) {
        const key = JSON.stringify(groups.map((column) => row[column]!.value));
        found.set(key, [...(found.get(key) ?? []), row]);
      }
      return [...found.values()].map((rows) => {
        const greatest = rows
          .map((row) => row[most]!)
          .reduce((x, y) => (String(y.value) > String(x.value) ? y : x));
        const own = Object.fromEntries(
          groups.map((column) => [column, together(rows.map((row) => row[column]!))]),
        );
        return { ...own, most: greatest, n: { value: rows.length, who: new Set<number>() } };
      });
    },
  };
}

/** The value of the row before, beside the row's own. */
function window(choices: Choices, tables: Tables): Query {
  const table = choices.of([...tables.keys()]);
  const all = tables.get(table)!;
  const own = pick(choices, all).map((column) => taken(choices, table, column));
  const [value, order] = [choices.of(all), choices.of(all)];
  const from: readonly From[] =
    value === order
      ? [used(`${table}.${value}`, 'TRANSFORMATION', 'WINDOW')]
      : [used(`${table}.${value}`, 'TRANSFORMATION'), used(`${table}.${order}`, 'WINDOW')];
  const columns: Made[] = [...own, { name: 'previous', from, cell: () => NULL }];
  return {
    columns,
    rows: [],
    inputs: [table],
    run: (store) =>
      [...store.get(table)!]
        .sort((x, y) => (String(x[order]!.value) < String(y[order]!.value) ? -1 : 1))
        .map((row, at, sorted) => ({ ...build(own, row), previous: sorted[at - 1]?.[value] ?? NULL })),
  };
}

function taken(choices: Choices, table: string, column: string, prefix = ''): Made {
  const how = choices.below(8);
  const name = choices.below(4) === 0 ? `${prefix}${column}_x` : `${prefix}${column}`;
  const use: Use = how === 0 ? 'TRANSFORMATION' : how === 1 ? 'HASH' : 'IDENTITY';
  const cell = (row: Row): Cell => {
    const { value, who } = row[column]!;
    return use === 'IDENTITY' || value === null
      ? row[column]!
      : { value: `${use.toLowerCase()} ${value}`, who };
  };
  return { name, from: [used(`${table}.${column}`, use)], cell };
}

function pick(choices: Choices, columns: readonly string[]): readonly string[] {
  const chosen = columns.filter(() => choices.below(3) > 0);
  return chosen.length === 0 ? [choices.of(columns)] : chosen;
}

function build(columns: readonly Made[], row: Row): Row {
  return Object.fromEntries(columns.map(({ name, cell }) => [name, cell(row)]));
}

/** Equal cells as one: it may be anybody's of them. */
function together(cells: readonly Cell[]): Cell {
  return { value: cells[0]!.value, who: new Set(cells.flatMap(({ who }) => [...who])) };
}
