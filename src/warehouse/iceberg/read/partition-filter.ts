import type { Literal } from '../../../values/literal.ts';
import type { PartitionField, PartitionSpec } from '../../partition-spec.ts';
import type { PrimitiveType } from '../../schema.ts';
import { type Comparable, literalValue } from '../manifest/single-value.ts';
import { resultType } from '../metadata/partition.ts';
import { transformOf } from '../metadata/transform.ts';
import type { Extent } from './extent.ts';
import { SortedValues } from './sorted-values.ts';

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
  readonly type: PrimitiveType;
  readonly values: SortedValues;
}

/**
 * Says whether partitions can hold a row in which the column equals one of the literals: by buckets and truncated values, in whose
 * order the column's own bounds are of no use. Where a transform is not known, anything is possible.
 */
export function partitionFilter({ id, type, literals, specs }: PartitionFilter): (extent: Extent) => boolean {
  const values = literals.map((literal) => literalValue(type, literal));
  if (values.includes(undefined)) return () => true;
  const bySpec = new Map(
    specs.map(({ id: specId, fields }) => [
      specId,
      fields.flatMap((one, index) => wanted(one, index, { type, id, values: values as Comparable[] })),
    ]),
  );
  return (extent) =>
    (bySpec.get(extent.specId) ?? []).every(({ index, type, values }) => {
      const range = extent.partition(index, type);
      return range === undefined || (range.nulls !== 'all' && values.meets(range));
    });
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
  const result = resultType(field.transform, type);
  if (apply === undefined || result === undefined) return [];
  const found = values.flatMap((value) => {
    const partition = apply(value)!;
    return [partition, ...wrapped(value, partition)];
  });
  return [{ index, type: result, values: new SortedValues(found) }];
}

/** What Java's truncation in 32 or 64 bits makes of a number near the smallest one: it comes out near the largest. */
function wrapped(value: Comparable, truncated: Comparable): readonly bigint[] {
  if (typeof value !== 'bigint' || typeof truncated !== 'bigint') return [];
  return [32, 64].flatMap((bits) =>
    value === BigInt.asIntN(bits, value) && truncated !== BigInt.asIntN(bits, truncated)
      ? [BigInt.asIntN(bits, truncated)]
      : [],
  );
}
