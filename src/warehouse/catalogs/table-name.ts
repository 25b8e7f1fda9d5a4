import { InputError } from '../../errors.ts';

/**
 * The parts of a table's name: its namespace, level by level, and last the table.
 *
 * @throws InputError `warehouse/table-name` where a part could leave its folder, or would be taken for a table's metadata
 */
export function nameParts(table: string): readonly string[] {
  const parts = table.split('.');
  if (parts.some((part) => !/^[^/\\\0]+$/.test(part) || part === 'metadata')) {
    throw new InputError('warehouse/table-name', `${JSON.stringify(table)} is no table name`, {
      remedy: 'Name a table by parts of letters, digits and underscores, joined by dots: crm.learners',
      data: { table },
    });
  }
  return parts;
}
