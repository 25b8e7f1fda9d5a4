import { rowsError } from '../errors.ts';

/**
 * Finds each field of a schema among the names that the rows have. `index` is undefined for an optional field that they
 * lack. Throws `plane/column-missing` and `plane/column-unknown`.
 */
export function matchColumns<F extends { readonly name: string; readonly required: boolean }>(
  names: readonly string[],
  fields: readonly F[],
  prefix = '',
): readonly { readonly field: F; readonly index: number | undefined }[] {
  const known = new Set(fields.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (unknown.length > 0 || twice.length > 0) {
    const columns = [...unknown, ...twice].map((name) => prefix + name);
    throw rowsError(
      'column-unknown',
      `The rows have columns that the table lacks or has once: ${columns.join(', ')}`,
      { columns },
    );
  }
  return fields.map((field) => {
    const index = names.indexOf(field.name);
    if (index === -1 && field.required) {
      const column = prefix + field.name;
      throw rowsError('column-missing', `The rows lack the required column ${column}`, { column });
    }
    return { field, index: index === -1 ? undefined : index };
  });
}
