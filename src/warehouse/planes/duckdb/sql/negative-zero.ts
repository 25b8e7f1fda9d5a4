import { quoteText } from '../../../../predicate/index.ts';
import { parts } from './reshape.ts';
import type { Shape, ShapeField } from './shape.ts';

/** The top-level fields that hold floating numbers, at any depth. */
export function floatIds(fields: readonly ShapeField[]): readonly number[] {
  return fields.filter(({ shape }) => hasFloat(shape)).map(({ id }) => id);
}

/** The condition that a row has a negative zero in one of the columns `f<id>`; null where none can. */
export function hasNegativeZero(fields: readonly ShapeField[]): string | null {
  const tests = fields.filter(({ shape }) => hasFloat(shape)).map(({ id, shape }) => test(`f${id}`, shape));
  return tests.length === 0 ? null : tests.join(' OR ');
}

function hasFloat(shape: Shape): boolean {
  if (shape.kind === 'leaf') return shape.sql === 'FLOAT' || shape.sql === 'DOUBLE';
  return parts(shape).some((part) => hasFloat(part.shape));
}

function test(sql: string, shape: Shape, depth = 0): string {
  const some = (list: string, of: ShapeField): readonly string[] =>
    hasFloat(of.shape)
      ? [`len(list_filter(${list}, lambda v${depth}: ${test(`v${depth}`, of.shape, depth + 1)})) > 0`]
      : [];
  switch (shape.kind) {
    case 'leaf':
      return `(${sql} = 0 AND signbit(${sql}))`;
    case 'struct': {
      const inside = shape.fields.filter((field) => hasFloat(field.shape));
      const value = ({ name }: ShapeField): string => `struct_extract(${sql}, ${quoteText('duckdb', name)})`;
      return `(${inside.map((field) => test(value(field), field.shape, depth)).join(' OR ')})`;
    }
    case 'list':
      return `(${some(sql, shape.element).join('')})`;
    case 'map':
      return `(${[...some(`map_keys(${sql})`, shape.key), ...some(`map_values(${sql})`, shape.value)].join(' OR ')})`;
  }
}
