import { idLiteralIn } from '../../values/id.ts';
import type { ClearColumn, Governance, Subject } from '../governance.ts';
import type { CheckedTable, Origin } from './finding.ts';
import type { Names } from './names.ts';

/** An id of each type that every column which can hold such ids can hold. */
const SAMPLE = { int: '1', long: '1', text: '1', uuid: '00000000-0000-0000-0000-000000000001' } as const;

/** Subjects, exceptions and decisions against the tables. */
export function checkErasure(names: Names, governance: Governance): void {
  for (const subject of governance.subjects.values()) checkSubject(names, subject);
  for (const exception of governance.exceptions.values()) {
    const origin = { at: exception.at, what: 'The exception' };
    const table = names.table(exception.table, origin);
    checkCleared(names, table, exception.eraseColumns, origin);
    for (const covered of exception.covers) names.table(covered, origin);
  }
  for (const decision of [...governance.decisions.values()].flat()) {
    const origin = { at: decision.at, what: 'The decision' };
    const table = names.table(decision.table, origin);
    for (const column of decision.by) names.column(table, column, origin);
    checkCleared(names, table, decision.columns, origin);
  }
}

function checkSubject(names: Names, subject: Subject): void {
  const origin = { at: subject.at, what: `The subject ${subject.name}` };
  for (const { table, column } of subject.identifying)
    names.column(names.table(table, origin), column, origin);
  for (const id of subject.idColumns) {
    const holders = [...names.all()].filter((table) =>
      id.every((name) => table.columns.some((column) => column.name === name)),
    );
    if (holders.length === 0) {
      names.add('no-id-column', origin, {
        column: id.join(','),
        message: `${origin.what} has an id that no table has as columns`,
        remedy: 'Correct id_columns: without them no table is part of an erasure',
      });
    }
    // A composite id has one canonical form for each part, so its parts are checked where they are bound.
    if (id.length === 1) for (const table of holders) checkIdType(names, subject, table, id[0]!);
  }
}

function checkIdType(names: Names, subject: Subject, table: CheckedTable, name: string): void {
  const type = table.columns.find((column) => column.name === name)?.type;
  if (type === undefined || idLiteralIn(type, SAMPLE[subject.idType]) !== null) return;
  names.add(
    'id-type',
    { at: subject.at, what: '' },
    {
      table: table.table,
      column: name,
      message: `Ids of ${subject.name} are ${subject.idType}, and this column is ${type}`,
      remedy: 'Correct id_type, or name the column otherwise: it cannot hold these ids',
    },
  );
}

function checkCleared(
  names: Names,
  table: CheckedTable | null,
  cleared: readonly ClearColumn[],
  origin: Origin,
): void {
  if (table === null) return;
  for (const { column: name, with: replacement } of cleared) {
    const column = names.column(table, name, origin);
    if (column?.required !== true || replacement.kind !== 'null') continue;
    names.add('required-column', origin, {
      table: table.table,
      column: name,
      message: `${origin.what} clears a column that cannot be NULL`,
      remedy: `Say what takes the value's place: { column = ${JSON.stringify(name)}, with = "redacted" }`,
    });
  }
}
