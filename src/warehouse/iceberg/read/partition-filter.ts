import type { Literal } from '../../../values/literal.ts';
import type { DataFile } from '../manifest/data-file.ts';
import { type Comparable, literalValue, toLiteral } from '../manifest/single-value.ts';
import { type PartitionField, type PartitionSpec, partitionType } from '../metadata/partition.ts';
import { transformOf } from '../metadata/transform.ts';
import type { PrimitiveType } from '../metadata/types.ts';

/** What {@link partitionFilter} looks for. */
export interface PartitionFilter {
  /** The column's field id, and its type now. */
  readonly id: number;
  readonly type: PrimitiveType;
  readonly literals: readonly Literal[];
  readonly specs: readonly PartitionSpec[];
}

/** The partition values that rows with some values of a column have, in one field of a spec. */
interface Wanted {
  readonly index: number;
  readonly values: ReadonlySet<string>;
}

/**
 * Says whether a file's partition can hold a row in which the column equals one of the literals: by buckets and truncated values,
 * which have no order that bounds could use. Where a transform is not known, anything is possible.
 */
export function partitionFilter({ id, type, literals, specs }: PartitionFilter): (file: DataFile) => boolean {
  const values = literals.map((literal) => literalValue(type, literal));
  if (values.includes(undefined)) return () => true;
  const bySpec = new Map(
    specs.map(({ id: specId, fields }) => [
      specId,
      fields.flatMap((one, index) => wanted(one, index, { type, id, values: values as Comparable[] })),
    ]),
  );
  return ({ specId, partition }) =>
    (bySpec.get(specId) ?? []).every(({ index, values }) => values.has(keyOf(partition[index] ?? null)));
}

interface Source {
  readonly type: PrimitiveType;
  readonly id: number;
  readonly values: readonly Comparable[];
}

function wanted(field: PartitionField, index: number, { type, id, values }: Source): readonly Wanted[] {
  if (field.sourceIds.length !== 1 || field.sourceIds[0] !== id) return [];
  if (!/^(?:bucket|truncate)\[/.test(field.transform.toLowerCase())) return [];
  const apply = transformOf(field.transform, type);
  // The type of the values is that of the column, whatever it was called when the spec was made.
  const result = partitionType(field, [
    { id: 0, identifierFieldIds: [], fields: [{ id, name: '', required: false, type }] },
  ]);
  if (apply === undefined || result === undefined) return [];
  const keys = values.flatMap((value) =>
    [apply(value), ...wrapped(value, apply(value))].map((one) => keyOf(literalOf(result, one))),
  );
  return [{ index, values: new Set(keys) }];
}

/** What Java's truncation in 32 or 64 bits makes of a number near the smallest one: it comes out near the largest. */
function wrapped(value: Comparable, truncated: Comparable | null): readonly bigint[] {
  if (typeof value !== 'bigint' || typeof truncated !== 'bigint') return [];
  return [32, 64].flatMap((bits) =>
    value === BigInt.asIntN(bits, value) && truncated !== BigInt.asIntN(bits, truncated)
      ? [BigInt.asIntN(bits, truncated)]
      : [],
  );
}

function literalOf(type: PrimitiveType, value: Comparable | null): Literal | null {
  return value === null ? null : toLiteral(type, value);
}

/** Whole numbers are equal whatever they were written as: a column of int can have become long since. */
function keyOf(literal: Literal | null): string {
  if (literal === null) return 'null';
  return JSON.stringify([literal.type === 'int' ? 'long' : literal.type, literal.value]);
}
