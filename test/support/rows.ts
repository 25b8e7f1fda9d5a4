import { Int64, type RecordBatch, Table, Utf8, vectorFromArray } from 'apache-arrow';
import type { Predicate } from '../../src/predicate/predicate.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';

/** A person as the tests make them. */
export interface Person {
  readonly id: bigint;
  readonly email: string | null;
}

export const PEOPLE = [
  { name: 'id', type: 'long' },
  { name: 'e-mail "x".y', type: 'string' },
] as const;

/** People as an Arrow table with the columns of {@link PEOPLE}. */
export function people(rows: readonly Person[]): Table {
  return new Table({
    id: vectorFromArray(
      rows.map(({ id }) => id),
      new Int64(),
    ),
    'e-mail "x".y': vectorFromArray(
      rows.map(({ email }) => email),
      new Utf8(),
    ),
  });
}

/** People from an id on, every fifth without an email. */
export function peopleFrom(first: bigint, count: number): readonly Person[] {
  return Array.from({ length: count }, (_, index) => {
    const id = first + BigInt(index);
    return { id, email: index % 5 === 4 ? null : `person-${id}@example.org` };
  });
}

export const withId = (id: bigint): Predicate => ({
  kind: 'compare',
  column: 'id',
  op: '=',
  value: { type: 'long', value: String(id) },
});

/** All people of a table, by id. */
export async function readPeople(
  warehouse: Warehouse,
  table: string,
  snapshotId?: bigint,
): Promise<readonly Person[]> {
  const found: Person[] = [];
  for await (const batch of warehouse.read(table, snapshotId === undefined ? {} : { snapshotId })) {
    found.push(...peopleOf(batch));
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function peopleOf(batch: RecordBatch): readonly Person[] {
  return Array.from({ length: batch.numRows }, (_, row) => ({
    id: batch.getChild('id')!.get(row) as bigint,
    email: batch.getChild('e-mail "x".y')!.get(row) as string | null,
  }));
}
