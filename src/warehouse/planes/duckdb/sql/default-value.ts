import { RefusedError } from '../../../../errors.ts';
import { quoteText } from '../../../../predicate/index.ts';
import { type ShapeField, shapeType } from './shape.ts';

/**
 * The SQL of the value that rows have for a field their file was written without: its initial default, else null.
 *
 * @throws RefusedError `plane/unsupported-default` for a default of a nested type (the specification knows only empty ones).
 */
export function defaultValue(field: ShapeField): string {
  const type = shapeType(field.shape);
  const value = field.initialDefault ?? null;
  if (value === null) return `CAST(NULL AS ${type})`;
  if (field.shape.kind !== 'leaf' || typeof value === 'object') {
    throw new RefusedError(
      'plane/unsupported-default',
      `Column ${field.name} has a default of a nested type`,
      {
        remedy: 'Change this table with an engine that has such defaults',
        data: { column: field.name },
      },
    );
  }
  if (type === 'BLOB') return `unhex(${quoteText('duckdb', String(value))})`;
  return `CAST(${quoteText('duckdb', String(value))} AS ${type})`;
}
