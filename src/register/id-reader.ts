import type { Table } from 'apache-arrow';
import { InputError } from '../errors.ts';
import { type ArrowColumn, arrowColumn, type Cell } from '../predicate/arrow-column.ts';

/**
 * Reads the ids in one column of an Arrow table, by the column's full name; null where the table has no such column. A
 * value of a type that no id has (a date, a list) is read as text that is no id, so that it is counted.
 */
export function idReader(table: Table, name: string): ((row: number) => Cell) | null {
  const column = find(table, name);
  if (column === null) return null;
  const { cells, scale } = column;
  switch (column.family) {
    case 'exact':
      return scale === 0 ? (row) => cells[row]! : (row) => wholeNumber(cells[row] as bigint | null, scale);
    case 'text':
    case 'float':
    case 'binary':
      return (row) => cells[row]!;
    default:
      return (row) => (cells[row] === null ? null : '');
  }
}

function find(table: Table, name: string): ArrowColumn | null {
  try {
    return arrowColumn(table, name);
  } catch (error) {
    if (error instanceof InputError && error.code === 'predicate/no-column') return null;
    throw error;
  }
}

/** A decimal without its zero fraction; one with a fraction is no id. */
function wholeNumber(unscaled: bigint | null, scale: number): Cell {
  if (unscaled === null) return null;
  const unit = 10n ** BigInt(scale);
  return unscaled % unit === 0n ? unscaled / unit : '';
}
