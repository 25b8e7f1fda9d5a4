import { nearest } from '../../values/nearest.ts';
import type { CheckedColumn, CheckedTable, Finding, Origin } from './finding.ts';

/** The tables by name, and the findings about names that are not among them. */
export class Names {
  readonly findings: Finding[] = [];
  readonly #tables: ReadonlyMap<string, CheckedTable>;

  constructor(tables: readonly CheckedTable[]) {
    this.#tables = new Map(tables.map((table) => [table.table, table]));
  }

  /** All tables. */
  all(): Iterable<CheckedTable> {
    return this.#tables.values();
  }

  /** The table of a name; a finding where there is none. */
  table(name: string, origin: Origin): CheckedTable | null {
    const found = this.#tables.get(name);
    if (found !== undefined) return found;
    this.add('no-table', origin, {
      table: name,
      message: `${origin.what} names a table that the warehouse lacks`,
      remedy: meant(name, this.#tables.keys(), 'Correct the name, or remove the entry'),
    });
    return null;
  }

  /** The column of a table; a finding where there is none. Nothing more where the table itself is missing. */
  column(table: CheckedTable | null, name: string, origin: Origin): CheckedColumn | null {
    if (table === null) return null;
    const found = table.columns.find((column) => column.name === name);
    if (found !== undefined) return found;
    this.add('no-column', origin, {
      table: table.table,
      column: name,
      message: `${origin.what} names a column that the table lacks`,
      remedy: meant(
        name,
        table.columns.map((column) => column.name),
        'Correct the name, or remove the entry',
      ),
    });
    return null;
  }

  /** Notes a finding; an error unless `level` says otherwise. */
  add(
    code: string,
    origin: Origin,
    finding: Pick<Finding, 'message' | 'remedy'> & Partial<Pick<Finding, 'level' | 'table' | 'column'>>,
  ): void {
    this.findings.push({
      code,
      level: 'error',
      table: null,
      column: null,
      ...finding,
      file: origin.at?.file ?? null,
      line: origin.at?.line ?? null,
    });
  }
}

function meant(name: string, candidates: Iterable<string>, otherwise: string): string {
  const near = nearest(name, candidates);
  return near === null ? otherwise : `Did you mean ${near}?`;
}
