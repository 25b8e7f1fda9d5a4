import { quoteName, quoteText } from '../../../../predicate/index.ts';
import { defaultValue } from './default-value.ts';
import { type Shape, type ShapeField, shapeType } from './shape.ts';

/**
 * The SQL that turns a value of one shape into another: fields are found by id, fields that are new take their default,
 * fields that are gone are left out, leaves are widened, and text becomes bytes or back. A null stays null at every depth.
 *
 * `instead` gives the SQL for a field in place of its value (clearing it); it is asked for every field, outermost first.
 */
export function reshape(
  value: string,
  from: Shape,
  to: Shape,
  instead?: (field: ShapeField) => string | undefined,
): string {
  return convert(value, from, to, instead ?? (() => undefined), 0);
}

type Instead = (field: ShapeField) => string | undefined;

function convert(value: string, from: Shape, to: Shape, instead: Instead, depth: number): string {
  if (to.kind === 'leaf') return leaf(value, from, to.sql!);
  if (equal(from, to) && !replaces(to, instead)) return value;
  // Names of lambda parameters differ at each depth, so that an inner one never hides an outer one.
  const item = `v${depth}`;
  if (to.kind === 'struct' && from.kind === 'struct') {
    const fields = to.fields.map((field) => {
      const source = from.fields.find(({ id }) => id === field.id);
      return `${quoteName('duckdb', field.name)} := ${part(value, source, field, instead, depth)}`;
    });
    return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${fields.join(', ')}) END`;
  }
  if (to.kind === 'list' && from.kind === 'list') {
    const element =
      instead(to.element) ?? convert(item, from.element.shape, to.element.shape, instead, depth + 1);
    return `list_transform(${value}, lambda ${item}: ${element})`;
  }
  if (to.kind === 'map' && from.kind === 'map') {
    const key = convert(`${item}.key`, from.key.shape, to.key.shape, instead, depth + 1);
    const inner =
      instead(to.value) ?? convert(`${item}.value`, from.value.shape, to.value.shape, instead, depth + 1);
    return `map_from_entries(list_transform(map_entries(${value}), lambda ${item}: struct_pack(key := ${key}, value := ${inner})))`;
  }
  throw new TypeError(`a ${from.kind} cannot become a ${to.kind}`);
}

function part(
  struct: string,
  source: ShapeField | undefined,
  field: ShapeField,
  instead: Instead,
  depth: number,
): string {
  const replaced = instead(field);
  if (replaced !== undefined) return replaced;
  if (source === undefined) return defaultValue(field);
  return convert(
    `struct_extract(${struct}, ${quoteText('duckdb', source.name)})`,
    source.shape,
    field.shape,
    instead,
    depth,
  );
}

function leaf(value: string, from: Shape, to: string): string {
  const source = from.kind === 'leaf' ? (from.sql ?? to) : shapeType(from);
  if (source === to) return value;
  if (source === 'VARCHAR' && to === 'BLOB') return `encode(${value})`;
  if (source === 'BLOB' && to === 'VARCHAR') return `decode(${value})`;
  return `CAST(${value} AS ${to})`;
}

function equal(a: Shape, b: Shape): boolean {
  if (a.kind === 'leaf' && b.kind === 'leaf') return a.sql === undefined || a.sql === b.sql;
  const [left, right] = [parts(a), parts(b)];
  return (
    a.kind === b.kind &&
    left.length === right.length &&
    left.every(({ id, name, shape }, index) => {
      const other = right[index]!;
      return id === other.id && name === other.name && equal(shape, other.shape);
    })
  );
}

function replaces(shape: Shape, instead: Instead): boolean {
  return parts(shape).some((field) => instead(field) !== undefined || replaces(field.shape, instead));
}

/** The fields directly inside a shape. */
export function parts(shape: Shape): readonly ShapeField[] {
  switch (shape.kind) {
    case 'leaf':
      return [];
    case 'struct':
      return shape.fields;
    case 'list':
      return [shape.element];
    case 'map':
      return [shape.key, shape.value];
  }
}
