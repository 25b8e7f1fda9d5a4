import type { IdTrace } from '../traces.ts';
import { type ColumnType, type Lookups, lookupsFor } from './column-type.ts';
import type { Sought } from './sought.ts';

/** What is known of the table under which a file lies; all empty for files that no table claims. */
export interface FileTable {
  readonly table: string | null;
  /** The table's columns by field id, by full name: so a renamed column's older files are recognised. */
  readonly namesById: ReadonlyMap<number, string>;
  /** Columns that a current or old partition spec reads. */
  readonly partitionColumns: readonly string[];
  /** For a file that no table claims: the top-level columns of every table, and of which tables it may be a copy. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  readonly mayCopy: readonly string[];
}

/** A file that no table claims, where nothing is known of any table. */
export const NO_TABLE: FileTable = {
  table: null,
  namesById: new Map(),
  partitionColumns: [],
  others: new Map(),
  mayCopy: [],
};

/** A column as a file names it. */
export interface FileColumn {
  /** Full name, without the groups that only carry lists and maps. */
  readonly name: string;
  readonly fieldId?: number | undefined;
}

/** Lookups that are kept for the next column in which the same is sought: more than a table has kinds of columns with ids. */
const KEPT = 64;

/** Says which ids are sought in which column of which file (rule S2). Names are compared without regard to case. */
export class IdSearch {
  readonly #traces: readonly IdTrace[];
  /** By what is sought and the type of the column: every file and row group of a table has the same columns. */
  readonly #made = new Map<string, Lookups>();

  constructor(traces: readonly IdTrace[]) {
    this.#traces = traces;
  }

  /** The values sought in one column of a file; empty where none are, or where all of them are expected. */
  soughtIn(file: FileTable, column: FileColumn): readonly Sought[] {
    return this.#naming(file, column).flatMap((trace) =>
      trace.values.flatMap(([literal]) =>
        literal === null || literal === undefined ? [] : [{ literal, shared: trace.shared }],
      ),
    );
  }

  /** The names of all columns in which a value of one column is sought. */
  namesSoughtIn(file: FileTable): readonly string[] {
    const single = this.#applying(file).filter(({ columns }) => columns.length === 1);
    return [...new Map(single.map(({ columns: [name] }) => [name!.toLowerCase(), name!])).values()];
  }

  /** The lookups for one column, or null where nothing is sought in it. */
  lookups(file: FileTable, column: FileColumn, type: ColumnType): Lookups | null {
    const traces = this.#naming(file, column);
    if (traces.length === 0) return null;
    const key = JSON.stringify([type, traces.map((trace) => this.#traces.indexOf(trace))]);
    const made = this.#made.get(key);
    if (made !== undefined) return made;
    const sought = this.soughtIn(file, column);
    if (sought.length === 0) return null;
    const lookups = lookupsFor(type, sought);
    if (this.#made.size >= KEPT) this.#made.clear();
    this.#made.set(key, lookups);
    return lookups;
  }

  /** Composite ids whose columns all stand in a file, with the file's own columns in the id's order. */
  composites<T extends FileColumn>(
    file: FileTable,
    columns: readonly T[],
  ): readonly { readonly columns: readonly T[]; readonly trace: IdTrace }[] {
    return this.#applying(file)
      .filter((trace) => trace.columns.length > 1)
      .flatMap((trace) => {
        const own = trace.columns.map((name) => columns.find((column) => isNamed(file, column, name)));
        return own.every((column) => column !== undefined) ? [{ columns: own as readonly T[], trace }] : [];
      });
  }

  /** Composite ids that are sought in a file, whatever its columns are. */
  compositesSoughtIn(file: FileTable): readonly IdTrace[] {
    return this.#applying(file).filter((trace) => trace.columns.length > 1);
  }

  /** Traces of one column that this one is, by its name. */
  #naming(file: FileTable, column: FileColumn): readonly IdTrace[] {
    return this.#applying(file).filter(
      ({ columns }) => columns.length === 1 && isNamed(file, column, columns[0]!),
    );
  }

  /**
   * Traces of one table apply to its files, and to files that no table claims and that may be copies of it. What is expected in
   * a table is not expected beside it.
   */
  #applying({ table, mayCopy }: FileTable): readonly IdTrace[] {
    return this.#traces.filter((trace) =>
      table === null
        ? trace.table === null || mayCopy.includes(trace.table)
        : (trace.table === null || trace.table === table) && !trace.expectedIn.includes(table),
    );
  }
}

function isNamed(file: FileTable, column: FileColumn, sought: string): boolean {
  const wanted = sought.toLowerCase();
  if (column.name.toLowerCase() === wanted) return true;
  if (column.fieldId === undefined) return false;
  return file.namesById.get(column.fieldId)?.toLowerCase() === wanted;
}
