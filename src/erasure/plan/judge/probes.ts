import type { QualifiedColumn } from '../../../governance/governance.ts';
import { quoteName, quotePath } from '../../../predicate/index.ts';
import type { KeyMatch } from '../keys/key-class.ts';
import type { PlanModel } from '../model/model.ts';
import type { DeclaredIds } from '../model/subject.ts';
import type { Probe } from '../plan.ts';
import type { FoundCause } from './cause.ts';

/** What probes are made from. */
export interface MakeProbes {
  readonly model: PlanModel;
  readonly ids: DeclaredIds;
  readonly table: number;
  readonly matches: readonly KeyMatch[];
  readonly causes: readonly FoundCause[];
}

/**
 * A question to the data for each cause of a review, as ready SQL (DuckDB's dialect). They count and never show a value,
 * and no value of a person is in them.
 */
export function probesFor({ model, ids, table, matches, causes }: MakeProbes): readonly Probe[] {
  const sql = new ProbeSql(model, ids, table, matches);
  const probes = new Map<string, Probe>();
  for (const cause of causes) {
    const probe = probeOf(cause, sql);
    probes.set(probe.sql, probe);
  }
  return [...probes.values()];
}

function probeOf({ code, column, against }: FoundCause, sql: ProbeSql): Probe {
  switch (code) {
    case 'cast-key':
    case 'masked-key':
    case 'named-like-a-key':
      return {
        asks: 'rows, and how many of them hold an id of the subject as text',
        ...sql.lookalike(column, against),
      };
    case 'two-people':
      return { asks: 'rows whose two keys differ', ...sql.differing(column, against) };
    case 'misaligned':
    case 'uncovered-source':
    case 'unknown-edge':
    case 'table-only':
      return { asks: 'rows whose key is empty or nobody known', ...sql.uncovered() };
    case 'derived-from-kept':
    case 'incremental':
    case 'no-rebuild':
      return { asks: 'rows', ...sql.rows() };
  }
}

type Asked = Pick<Probe, 'sql' | 'question'>;

class ProbeSql {
  readonly #model: PlanModel;
  readonly #ids: DeclaredIds;
  readonly #table: number;
  readonly #match: KeyMatch | undefined;

  constructor(model: PlanModel, ids: DeclaredIds, table: number, matches: readonly KeyMatch[]) {
    this.#model = model;
    this.#ids = ids;
    this.#table = table;
    this.#match = matches[0];
  }

  rows(): Asked {
    return { sql: this.#count(), question: { kind: 'rows', table: this.#tableName } };
  }

  /** Values compared as text with the ids where they are declared. */
  lookalike(column: number | undefined, against: number | undefined): Asked {
    const declared = against ?? this.#ids.keys[0]?.columns[0];
    if (column === undefined || declared === undefined) return this.rows();
    const own = `CAST(${this.#name(column)} AS VARCHAR)`;
    const other = `SELECT CAST(${this.#name(declared)} AS VARCHAR) FROM ${this.#from(this.#model.columnTables[declared]!)}`;
    return {
      sql: `SELECT count(*) AS "rows", count(*) FILTER (WHERE ${own} IN (${other})) AS "ids" FROM ${this.#from(this.#table)}`,
      question: {
        kind: 'known',
        table: this.#tableName,
        pairs: [[this.#plain(column), this.#place(declared)]],
      },
    };
  }

  differing(a: number | undefined, b: number | undefined): Asked {
    if (a === undefined || b === undefined) return this.rows();
    return {
      sql: `${this.#count()} WHERE ${this.#name(a)} IS DISTINCT FROM ${this.#name(b)}`,
      question: { kind: 'differing', table: this.#tableName, columns: [this.#plain(a), this.#plain(b)] },
    };
  }

  /** Rows that no key of the plan would find. */
  uncovered(): Asked {
    const match = this.#match;
    if (match === undefined) return this.rows();
    const declared = match.origin ?? match.columns;
    const conditions = match.columns.map((column, part) => {
      const from = declared[part]!;
      const known = `SELECT ${this.#name(from)} FROM ${this.#from(this.#model.columnTables[from]!)}`;
      const name = this.#name(column);
      return from === column
        ? `${name} IS NULL`
        : `${name} IS NULL OR ${name} NOT IN (${known} WHERE ${this.#name(from)} IS NOT NULL)`;
    });
    const pairs = match.columns.map((column, part) => {
      const from = declared[part]!;
      return [this.#plain(column), from === column ? null : this.#place(from)] as const;
    });
    return {
      sql: `${this.#count()} WHERE ${conditions.join(' OR ')}`,
      question: { kind: 'unknown', table: this.#tableName, pairs },
    };
  }

  #count(): string {
    return `SELECT count(*) AS "rows" FROM ${this.#from(this.#table)}`;
  }

  get #tableName(): string {
    return this.#model.tableNames[this.#table]!;
  }

  #plain(column: number): string {
    return this.#model.columnNames[column]!;
  }

  #place(column: number): QualifiedColumn {
    return { table: this.#model.tableNames[this.#model.columnTables[column]!]!, column: this.#plain(column) };
  }

  #name(column: number): string {
    return quoteName('duckdb', this.#model.columnNames[column]!);
  }

  #from(table: number): string {
    return quotePath('duckdb', splitTable(this.#model.tableNames[table]!));
  }
}

/** `namespace.table`: the last part is the table. */
function splitTable(table: string): readonly string[] {
  const dot = table.lastIndexOf('.');
  return dot < 0 ? [table] : [table.slice(0, dot), table.slice(dot + 1)];
}
