import { InputError } from '../errors.ts';

/** The error for a name the catalog does not have; near names are named. */
export function noSuchTable(table: string, known: readonly string[]): InputError {
  const last = table.split('.').at(-1);
  const near = known.filter(
    (name) => name.toLowerCase() === table.toLowerCase() || name.split('.').at(-1) === last,
  );
  return new InputError('warehouse/no-such-table', `There is no table ${table}`, {
    remedy:
      near.length > 0
        ? `Did you mean ${near.slice(0, 3).join(' or ')}?`
        : 'Check the name, and that the catalog is the right one',
    data: { table, near },
  });
}

/** The error for a name that is taken. */
export function tableExists(table: string): InputError {
  return new InputError('warehouse/table-exists', `The table ${table} exists already`, {
    remedy: 'Choose another name, or drop the table first',
    data: { table },
  });
}
