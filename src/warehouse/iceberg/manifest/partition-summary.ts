import type { Literal } from '../../../values/literal.ts';
import type { PrimitiveType } from '../../schema.ts';
import type { PartitionSummary } from './manifest-list.ts';
import { type Comparable, compareValues, encodeBound, literalValue } from './single-value.ts';

/** The range of each partition field over the files of a manifest, as its list holds it. */
export function summarize(
  types: readonly PrimitiveType[],
  partitions: readonly (readonly (Literal | null)[])[],
): readonly PartitionSummary[] {
  return types.map((type, index) => {
    let lower: Comparable | null = null;
    let upper: Comparable | null = null;
    let containsNull = false;
    let containsNan = false;
    for (const partition of partitions) {
      const literal = partition[index] ?? null;
      if (literal === null) containsNull = true;
      else if (literal.value === 'NaN') containsNan = true;
      else {
        const value = comparableOf(type, literal);
        if (lower === null || compareValues(value, lower) < 0) lower = value;
        if (upper === null || compareValues(value, upper) > 0) upper = value;
      }
    }
    return {
      containsNull,
      containsNan: type === 'float' || type === 'double' ? containsNan : null,
      lowerBound: lower === null ? null : encodeBound(type, lower),
      upperBound: upper === null ? null : encodeBound(type, upper),
    };
  });
}

function comparableOf(type: PrimitiveType, literal: Literal): Comparable {
  const value = type.endsWith('_ns') ? BigInt(String(literal.value)) : literalValue(type, literal);
  if (value === undefined) throw new TypeError(`a partition value is not of type ${type}`);
  return value;
}
