import type { PageColumn, PageDocument, PageStep, PageTable } from '../document.ts';

export type Edge = PageDocument['edges'][number];

/** Roles by their bits, as the document numbers them: six that carry a value, then those that only shaped the rows. */
const IDENTITY = 1;
const UNKNOWN = 32;
const VALUE = 63;

/** The plan that the page shows, with its edges found from both ends. */
export class ShownPlan {
  readonly document: PageDocument;
  readonly #into = new Map<number, Edge[]>();
  readonly #outOf = new Map<number, Edge[]>();

  constructor(document: PageDocument) {
    this.document = document;
    for (const edge of document.edges) {
      push(this.#outOf, edge[0], edge);
      push(this.#into, edge[1], edge);
    }
  }

  table(at: number): PageTable {
    return this.document.tables[at]!;
  }

  column(at: number): PageColumn {
    return this.document.columns[at]!;
  }

  step(table: number): PageStep | undefined {
    return this.document.steps[this.table(table).step];
  }

  /** What is done to a table, as the page's classes name it. */
  action(table: number): string {
    return this.step(table)?.action ?? (this.table(table).drawn ? 'passage' : 'outside');
  }

  /** The columns of a table, without the one that stands for the whole of it. */
  columnsOf(table: number): readonly number[] {
    const [first, end] = this.table(table).columns;
    return range(first, end).filter((column) => this.column(column).name !== '*');
  }

  roles([, , mask]: Edge): readonly string[] {
    return this.document.roles.filter((_, bit) => (mask & (1 << bit)) !== 0);
  }

  carriesValue([, , mask]: Edge): boolean {
    return (mask & VALUE) !== 0;
  }

  into(column: number): readonly Edge[] {
    return this.#into.get(column) ?? [];
  }

  outOf(column: number): readonly Edge[] {
    return this.#outOf.get(column) ?? [];
  }

  /** Edges that decided about a column, or about the rows of its table, and brought no value into it. */
  shaping(column: number): readonly Edge[] {
    const [first, end] = this.table(this.column(column).table).columns;
    const whole = range(first, end).filter((other) => this.column(other).name === '*');
    return [...new Set([column, ...whole])]
      .flatMap((at) => this.into(at))
      .filter((edge) => edge[1] !== column || !this.carriesValue(edge));
  }

  /** The ways by which values came into a column, each from a source on; the surest edge is followed back. */
  pathsTo(column: number): readonly (readonly Edge[])[] {
    return this.into(column)
      .filter((edge) => this.carriesValue(edge))
      .sort((a, b) => rank(a) - rank(b))
      .map((last) => {
        const path = [last];
        const seen = new Set([column]);
        for (let at = last[0]; !seen.has(at); ) {
          seen.add(at);
          const before = this.into(at)
            .filter((edge) => this.carriesValue(edge) && !seen.has(edge[0]))
            .sort((a, b) => rank(a) - rank(b))[0];
          if (before === undefined) break;
          path.unshift(before);
          at = before[0];
        }
        return path;
      });
  }

  /** Every edge by which values of a column go on, however far. */
  onwards(column: number): readonly Edge[] {
    const edges: Edge[] = [];
    const seen = new Set([column]);
    for (const at of seen)
      for (const edge of this.outOf(at))
        if (this.carriesValue(edge)) {
          edges.push(edge);
          seen.add(edge[1]);
        }
    return edges;
  }
}

function rank([, , mask]: Edge): number {
  const value = mask & VALUE;
  if (value === IDENTITY) return 0;
  return (value & UNKNOWN) === 0 ? 1 : 2;
}

function push(map: Map<number, Edge[]>, key: number, edge: Edge): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [edge]);
  else known.push(edge);
}

function range(first: number, end: number): readonly number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}
