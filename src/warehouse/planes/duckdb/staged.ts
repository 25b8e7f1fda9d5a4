import type { PlaneTable } from '../../data-plane.ts';
import { reshape } from './sql/reshape.ts';
import { fileShape, wireShape } from './sql/shape.ts';

/** The staged rows as `f<id>` in the file shape, with `row`, their place in it. */
export function staged({ schema }: PlaneTable): string {
  const wire = wireShape(schema);
  const columns = fileShape(schema).map(
    (field, index) => `${reshape(`f${field.id}`, wire[index]!.shape, field.shape)} AS f${field.id}`,
  );
  return `SELECT ${columns.join(', ')}, rowid AS row FROM staged`;
}
