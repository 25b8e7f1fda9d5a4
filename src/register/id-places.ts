import type { Plan, Step } from '../erasure/plan/plan.ts';
import type { ClearColumn, ErasureException, Governance, Subject } from '../governance/governance.ts';
import type { TableDescription } from '../warehouse/warehouse.ts';

/** Columns of one table that together hold ids of one kind of subject. */
export interface IdPlace {
  readonly table: string;
  readonly subject: Subject;
  readonly columns: readonly string[];
  /** Null where no exception keeps the rows; else the columns that must stay cleared in them. */
  readonly kept: readonly ClearColumn[] | null;
}

/**
 * Where ids of people stand in a table: the declared id columns, columns that metadata says identify someone, and with plans
 * the copies that they find by the ids of a request. A key that is under review is no proof of whose row it is, and what people
 * decided to leave alone is none of theirs.
 */
export function idPlaces(
  description: Pick<TableDescription, 'table' | 'columns'>,
  { governance, plans = [] }: { readonly governance: Governance; readonly plans?: readonly Plan[] },
): readonly IdPlace[] {
  const { table } = description;
  const there = new Set(description.columns.map((column) => column.name));
  return [...governance.subjects.values()].flatMap((subject) => {
    const steps = plans
      .filter((plan) => plan.subject === subject.name)
      .flatMap((plan) => plan.steps.filter((step) => step.table === table));
    if (steps.some(({ action }) => action === 'ignore')) return [];
    const groups = [
      ...subject.idColumns,
      ...identifiedBy(governance, table, subject.name),
      ...steps.flatMap(copiedInto),
    ].filter((columns) => columns.every((column) => there.has(column)));
    const distinct = [...new Map(groups.map((columns) => [JSON.stringify(columns), columns])).values()];
    const kept = keptColumns(governance, table, subject.name);
    return distinct.map((columns) => ({ table, subject, columns, kept }));
  });
}

function identifiedBy(
  governance: Governance,
  table: string,
  subject: string,
): readonly (readonly string[])[] {
  const columns = governance.metadata.get(table)?.columns ?? new Map();
  return [...columns].flatMap(([name, column]) => (column.identifies === subject ? [[name]] : []));
}

function copiedInto({ action, match }: Step): readonly (readonly string[])[] {
  if (action === 'review') return [];
  return match.flatMap(({ columns, values }) => (values.from === 'subject' ? [columns] : []));
}

function keptColumns(governance: Governance, table: string, subject: string): readonly ClearColumn[] | null {
  const holds = (exception: ErasureException): boolean =>
    exception.subjects === undefined || exception.subjects.includes(subject);
  const own = governance.exceptions.get(table);
  // Whether a token stands there, only its key could tell.
  if (own !== undefined && holds(own)) return own.eraseColumns.filter((each) => each.with.kind !== 'token');
  const covered = [...governance.exceptions.values()].some(
    (each) => holds(each) && each.covers.includes(table),
  );
  return covered ? [] : null;
}
