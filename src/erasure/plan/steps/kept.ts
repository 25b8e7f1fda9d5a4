import type { ClearColumn, ErasureException, Governance } from '../../../governance/governance.ts';
import { ROLE, VALUE } from '../../../lineage/roles.ts';
import type { FoundCause } from '../judge/cause.ts';
import type { Verdict } from '../judge/verdicts.ts';
import type { PlanModel } from '../model/model.ts';

/** Why a table's rows stay, and which of its columns are cleared. */
export interface Kept {
  readonly exception: ErasureException;
  readonly clear: readonly ClearColumn[];
}

/** Rows of a kept table that came in one by one, in whatever form: sums over many do not count. */
const BY_ROW = ROLE.identity | ROLE.transformation | ROLE['transformation-masked'] | ROLE.unknown;

/** The exceptions that hold for a subject, table by table, as the walk through the tables meets them (rule L5e). */
export class KeptTables {
  readonly #model: PlanModel;
  readonly #governance: Governance;
  readonly #subject: string;
  readonly #kept = new Map<number, Kept>();

  constructor(model: PlanModel, governance: Governance, subject: string) {
    this.#model = model;
    this.#governance = governance;
    this.#subject = subject;
  }

  /** What is known of a table with what an exception says of it: its own, or that of a table that it is copied from. */
  judged(table: number, verdict: Verdict): { readonly kept: Kept | null; readonly verdict: Verdict } {
    const kept = this.#keeps(table);
    const copied = kept === null ? this.#copiedFrom(table) : [];
    return { kept, verdict: { ...verdict, causes: [...verdict.causes, ...copied] } };
  }

  /** Whether the table is kept: by its own exception, or by one of a table that it is copied from. */
  #keeps(table: number): Kept | null {
    const name = this.#model.tableNames[table]!;
    const own = this.#governance.exceptions.get(name);
    const kept =
      own !== undefined && this.#holds(own)
        ? { exception: own, clear: own.eraseColumns }
        : this.#coveredBy(table, name);
    if (kept !== null) this.#kept.set(table, kept);
    return kept;
  }

  /** A table copied from a kept one that no exception covers: deleting there would undo what is kept, keeping has no reason. */
  #copiedFrom(table: number): readonly FoundCause[] {
    const sources = new Set<number>();
    if (this.#kept.size === 0) return [];
    for (const [source] of this.#incoming(table)) if (this.#kept.has(source)) sources.add(source);
    return [...sources].map((source) => ({
      code: 'derived-from-kept',
      what: `it is copied from ${this.#model.tableNames[source]!}, which an exception keeps`,
    }));
  }

  #coveredBy(table: number, name: string): Kept | null {
    for (const exception of this.#governance.exceptions.values()) {
      if (!exception.covers.includes(name) || !this.#holds(exception)) continue;
      const source = this.#model.table(exception.table);
      return { exception, clear: source === undefined ? [] : this.#copiesOfCleared(table, source) };
    }
    return null;
  }

  /** The columns that took a value from a column that the exception clears. */
  #copiesOfCleared(table: number, source: number): readonly ClearColumn[] {
    const { columnNames, edges } = this.#model;
    const cleared = this.#kept.get(source)?.clear ?? [];
    const found = new Map<string, ClearColumn>();
    for (const [from, edge] of this.#incoming(table)) {
      if (from !== source) continue;
      const clear = cleared.find(({ column }) => column === columnNames[edges.from[edge]!]);
      const column = columnNames[edges.to[edge]!]!;
      if (clear !== undefined && column !== '*') found.set(column, { column, with: clear.with });
    }
    return [...found.values()].sort((a, b) => (a.column < b.column ? -1 : 1));
  }

  /** The edges that bring rows into a table, with the table that each comes from. */
  *#incoming(table: number): Iterable<readonly [number, number]> {
    const { columns, columnTables, edges, wholes } = this.#model;
    for (const column of [...columns.of(table), wholes[table]!]) {
      if (column < 0) continue;
      for (const edge of edges.into(column))
        if ((edges.roles[edge]! & VALUE & BY_ROW) !== 0) yield [columnTables[edges.from[edge]!]!, edge];
    }
  }

  #holds({ subjects }: ErasureException): boolean {
    return subjects === undefined || subjects.includes(this.#subject);
  }
}
