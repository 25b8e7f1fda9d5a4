import type { OpenFile } from './files.ts';
import { POSITION } from './sql/relation.ts';
import type { ShapeField } from './sql/shape.ts';

const ROW_ID = 2147483540;
const LAST_UPDATED = 2147483539;

/** The columns in which version 3 keeps who a row is once it has moved to another file, by their reserved ids. */
const COLUMNS: readonly ShapeField[] = [
  { id: ROW_ID, name: '_row_id', shape: { kind: 'leaf', sql: 'BIGINT' } },
  { id: LAST_UPDATED, name: '_last_updated_sequence_number', shape: { kind: 'leaf', sql: 'BIGINT' } },
];

/** What the rows of a file take along when they are written to another one. */
export interface Lineage {
  readonly fields: readonly ShapeField[];
  /** SQL over a relation with {@link Lineage.fields}. `changed` is true for rows that are changed on the way. */
  values(changed: string): readonly string[];
}

const NONE: Lineage = { fields: [], values: () => [] };

/**
 * Row ids and the commits that changed rows last: what the row says itself, else what follows from its file (specification, row
 * lineage). A file without row ids, from before version 3, has none to take along.
 */
export function lineageOf({ given: { file, sequenceNumber } }: OpenFile): Lineage {
  const { firstRowId } = file;
  if (firstRowId === undefined) return NONE;
  const updated = `coalesce(f${LAST_UPDATED}, ${sequenceNumber === undefined ? 'NULL' : sequenceNumber})`;
  return {
    fields: COLUMNS,
    values: (changed) => [
      `coalesce(f${ROW_ID}, ${firstRowId} + ${POSITION})::BIGINT AS f${ROW_ID}`,
      // Null stands for the commit that writes the row.
      `(CASE WHEN ${changed} THEN NULL ELSE ${updated} END)::BIGINT AS f${LAST_UPDATED}`,
    ],
  };
}
