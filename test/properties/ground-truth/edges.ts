import { type Expr, type Ref, type Run, type Select, tablesOf } from './pipeline.ts';

/** OpenLineage's subtypes, `HASH` for a masked transformation and `COUNT` for a masked aggregation. */
export type Use =
  | 'IDENTITY'
  | 'TRANSFORMATION'
  | 'HASH'
  | 'AGGREGATION'
  | 'COUNT'
  | 'JOIN'
  | 'GROUP_BY'
  | 'FILTER'
  | 'WINDOW'
  | 'CONDITIONAL';

export interface Input {
  readonly table: string;
  readonly column: string;
  readonly uses: readonly Use[];
}

/** What a statement did, as a producer that sees everything would say it. */
export interface TrueEdges {
  /** Column to its inputs; constants and row counts have no entry. */
  readonly fields: ReadonlyMap<string, readonly Input[]>;
  /** What decided about whole rows. */
  readonly dataset: readonly Input[];
}

/** The edges of a run, labelled as Spark labels them (a cast is a transformation, a branch of a case too). */
export function edgesOf({ statement, target }: Run): TrueEdges {
  const edges = new Edges();
  const columns = target.columns.map(({ name }) => name);
  if ('query' in statement)
    for (const select of statement.query) {
      for (const [place, { expr }] of select.outputs.entries())
        edges.into(
          columns[place]!,
          inputsOf(expr, (at) => tablesOf(select)[at]!),
        );
      for (const input of rowsOf(select, statement.query[0]!.distinct)) edges.row(input);
    }
  const own = (column: string, ...uses: Use[]): Input => ({ table: statement.table, column, uses });
  if (statement.kind === 'merge') {
    for (const name of columns) edges.into(name, [own(name, 'IDENTITY')]);
    edges.row(own(statement.key, 'JOIN'));
    const place = columns.indexOf(statement.key);
    for (const select of statement.query) {
      const { expr } = select.outputs[place]!;
      for (const input of inputsOf(expr, (at) => tablesOf(select)[at]!))
        edges.row({ ...input, uses: ['JOIN'] });
    }
  }
  if (statement.kind === 'update') {
    for (const name of columns) if (name !== statement.column) edges.into(name, [own(name, 'IDENTITY')]);
    edges.into(statement.column, [
      own(statement.column, 'TRANSFORMATION'),
      own(statement.where.column, 'CONDITIONAL'),
      ...inputsOf(statement.to, () => statement.table).map((input) =>
        input.uses[0] === 'IDENTITY' ? own(input.column, 'TRANSFORMATION') : input,
      ),
    ]);
  }
  if (statement.kind === 'delete') {
    for (const name of columns) edges.into(name, [own(name, 'IDENTITY')]);
    edges.row(own(statement.where.column, 'FILTER'));
  }
  return edges.result();
}

/** The inputs of one expression. */
export function inputsOf(expr: Expr, table: (at: number) => string): readonly Input[] {
  const from = ({ at, column }: Ref, ...uses: Use[]): Input => ({ table: table(at), column, uses });
  const over = ({ partition, order }: { partition: Ref; order: Ref }): Input[] => [
    from(partition, 'WINDOW'),
    from(order, 'WINDOW'),
  ];
  switch (expr.kind) {
    case 'column':
      return [from(expr.of, 'IDENTITY')];
    case 'upper':
    case 'prefix':
    case 'mask':
    case 'cast':
    case 'plus-zero':
      return [from(expr.of, 'TRANSFORMATION')];
    case 'hash':
      return [from(expr.of, 'HASH')];
    case 'concat':
      return [from(expr.of, 'TRANSFORMATION'), from(expr.and, 'TRANSFORMATION')];
    case 'coalesce':
      return [
        from(expr.of, 'TRANSFORMATION', 'CONDITIONAL'),
        from(expr.and, 'TRANSFORMATION', 'CONDITIONAL'),
      ];
    case 'case':
      return [from(expr.of, 'TRANSFORMATION'), from(expr.and, 'CONDITIONAL')];
    case 'constant':
    case 'count-rows':
      return [];
    case 'row-number':
      return over(expr.over!);
    case 'count':
      return [from(expr.of, 'COUNT')];
    case 'max':
    case 'sum':
    case 'list':
      return [from(expr.of, 'AGGREGATION')];
    case 'lag':
      return [from(expr.of, 'TRANSFORMATION'), ...over(expr.over)];
    case 'window-max':
      return [from(expr.of, 'AGGREGATION'), from(expr.over.partition, 'WINDOW')];
    case 'lookup':
      return [{ table: expr.table, column: expr.column, uses: ['AGGREGATION'] }];
  }
}

/** What decides about the rows of a select, whose query may drop repeated rows. */
function rowsOf(select: Select, distinct: boolean): readonly Input[] {
  const tables = tablesOf(select);
  const found: Input[] = [];
  const add = ({ at, column }: Ref, ...uses: Use[]): void =>
    void found.push({ table: tables[at]!, column, uses });
  for (const [at, { left, right, type }] of select.joins.entries()) {
    // Spark drops what cannot match before it joins: a filter on each side that an outer join does not keep.
    const [keepsLeft, keepsRight] = [type === 'left' || type === 'full', type === 'right' || type === 'full'];
    add(left, 'JOIN', ...(keepsLeft ? [] : ['FILTER' as const]));
    add({ at: at + 1, column: right }, 'JOIN', ...(keepsRight ? [] : ['FILTER' as const]));
  }
  if (select.where !== undefined) add(select.where.of, 'FILTER');
  if (select.semi !== undefined) {
    add(select.semi.of, 'JOIN');
    found.push({ table: select.semi.table, column: select.semi.column, uses: ['JOIN'] });
  }
  for (const of of select.groupBy ?? []) add(of, 'GROUP_BY');
  for (const { expr } of select.outputs) {
    if (expr.kind === 'lookup') {
      found.push({ table: expr.table, column: expr.key, uses: ['JOIN', 'GROUP_BY'] });
      add(expr.by, 'JOIN');
    }
    if (!distinct) continue;
    for (const input of inputsOf(expr, (at) => tables[at]!)) found.push({ ...input, uses: ['GROUP_BY'] });
  }
  return found;
}

/** Collects edges, each pair once, its uses joined. */
class Edges {
  readonly #fields = new Map<string, Map<string, Input>>();
  readonly #rows = new Map<string, Input>();

  into(column: string, inputs: readonly Input[]): void {
    if (inputs.length === 0) return;
    const known = this.#fields.get(column) ?? new Map<string, Input>();
    this.#fields.set(column, known);
    for (const input of inputs) join(known, input);
  }

  row(input: Input): void {
    join(this.#rows, input);
  }

  result(): TrueEdges {
    return {
      fields: new Map([...this.#fields].map(([column, inputs]) => [column, [...inputs.values()]])),
      dataset: [...this.#rows.values()],
    };
  }
}

function join(known: Map<string, Input>, input: Input): void {
  const key = `${input.table}.${input.column}`;
  const uses = new Set([...(known.get(key)?.uses ?? []), ...input.uses]);
  known.set(key, { ...input, uses: [...uses] });
}
