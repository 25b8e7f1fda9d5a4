import type { Governance } from '../../../governance/governance.ts';
import type { PlanModel } from '../model/model.ts';
import type { DeclaredIds, IdColumns } from '../model/subject.ts';
import { type ExactCopies, exactCopies } from './exact-copies.ts';

/**
 * Values that find a person's rows: the subject's own ids, or the declared keys of rows that hold them (rule L6: nothing
 * else is ever a key). All columns of a class hold the same values, so they can be compared.
 */
export interface KeyClass {
  readonly kind: 'subject' | 'row';
  /** The table whose row key it is; -1 for the subject's ids. */
  readonly table: number;
  /** The columns that declare it, one tuple for each place. */
  readonly declared: readonly IdColumns[];
  /** For each part of the key, the columns that hold exact copies of it. */
  readonly parts: readonly ExactCopies[];
  /** The tables that hold exact copies of its first part: no other has a match. */
  readonly tables: ReadonlySet<number>;
}

/** Columns of a table that find the person's rows by a key class. */
export interface KeyMatch {
  readonly keyClass: KeyClass;
  readonly columns: readonly number[];
  /** The declared columns at the end of the chain; null where these are declared themselves. */
  readonly origin: readonly number[] | null;
}

/** The classes of the subject's ids: one for each length of a composite id. */
export function subjectClasses(model: PlanModel, ids: DeclaredIds): readonly KeyClass[] {
  const lengths = [...new Set(ids.keys.map(({ columns }) => columns.length))].sort((a, b) => a - b);
  return lengths.map((length): KeyClass => {
    const declared = ids.keys.filter(({ columns }) => columns.length === length);
    return { kind: 'subject', table: -1, declared, ...copiesOf(model, declared, length) };
  });
}

/** The class of a table's declared row key; null where metadata.toml declares none, or one that the table lacks. */
export function rowClass(model: PlanModel, governance: Governance, table: number): KeyClass | null {
  const key = governance.metadata.get(model.tableNames[table]!)?.key ?? [];
  const columns = key.flatMap((name) => model.columns.find(table, name) ?? []);
  if (key.length === 0 || columns.length !== key.length) return null;
  const declared = [{ table, columns, identifies: false }];
  return { kind: 'row', table, declared, ...copiesOf(model, declared, columns.length) };
}

function copiesOf(
  model: PlanModel,
  declared: readonly IdColumns[],
  length: number,
): Pick<KeyClass, 'parts' | 'tables'> {
  const parts = Array.from({ length }, (_, part) =>
    exactCopies(
      model,
      declared.map(({ columns }) => columns[part]!),
    ),
  );
  const copies = parts[0] === undefined ? [] : [...parts[0].originOf.keys()];
  return { parts, tables: new Set(copies.map((column) => model.columnTables[column]!)) };
}

/** Every tuple of a table's columns that holds a key of the class, declared ones first, then in the order of its columns. */
export function matchesIn(model: PlanModel, keyClass: KeyClass, table: number): readonly KeyMatch[] {
  if (!keyClass.tables.has(table)) return [];
  const own = keyClass.declared.filter((ids) => ids.table === table);
  const matches: KeyMatch[] = own.map(({ columns }) => ({ keyClass, columns, origin: null }));
  const declared = new Set(own.flatMap(({ columns }) => columns));
  const available = columnsOf(model, table).filter((column) => !declared.has(column));
  const tables = new Set(keyClass.declared.map((ids) => ids.table));
  if (keyClass.parts.length === 1) {
    const { originOf } = keyClass.parts[0]!;
    for (const column of available) {
      const origin = originOf.get(column);
      if (origin !== undefined) matches.push({ keyClass, columns: [column], origin: [origin] });
    }
    return matches;
  }
  // The parts of a composite id have to come from one row, so from one declaring table.
  for (const origin of tables) {
    const perPart = keyClass.parts.map(({ originOf }) =>
      available.filter((column) => {
        const from = originOf.get(column);
        return from !== undefined && model.columnTables[from] === origin;
      }),
    );
    for (const columns of combinations(perPart))
      matches.push({
        keyClass,
        columns,
        origin: columns.map((column, part) => keyClass.parts[part]!.originOf.get(column)!),
      });
  }
  return matches;
}

/** The columns that a predicate may name: the warehouse's own where it has the table. */
function columnsOf(model: PlanModel, table: number): readonly number[] {
  return [...(model.real[table] === null ? model.columns.of(table) : model.realColumns[table]!)];
}

function combinations(perPart: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return perPart.reduce<readonly (readonly number[])[]>(
    (tuples, part) => tuples.flatMap((tuple) => part.map((column) => [...tuple, column])),
    [[]],
  );
}
