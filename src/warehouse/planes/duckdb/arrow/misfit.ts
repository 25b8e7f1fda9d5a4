import type { Data } from 'apache-arrow';
import { rowsError } from '../errors.ts';

/** An Arrow type that does not fit the column; `fits` is the class of Apache Arrow whose values do, where there is one. */
export function typeError(data: Data, column: string, type: string, fits?: string): Error {
  const wanted = fits === undefined ? type : `${type}, which is ${fits} in Arrow`;
  return rowsError('type', `Column ${column} is ${wanted}, and the rows give ${data.type}`, {
    column,
    type,
    given: String(data.type),
  });
}

/** A null where there must be a value. */
export function nullInRequired(column: string): Error {
  return rowsError('null-in-required', `Column ${column} is required, and the rows hold a null in it`, {
    column,
  });
}
