import type { Literal } from '../values/literal.ts';
import { adapt } from './adapt.ts';
import type { ArrowColumn, Cell } from './arrow-column.ts';
import { constantOf } from './constant.ts';
import { literalFamily } from './family.ts';
import { order } from './order.ts';

type Present = Exclude<Cell, null>;

/** How the cells of a column meet one constant: both sides brought to one form. */
export interface Comparator {
  /** Equal for comparators whose `form` does the same to every cell. */
  readonly kind: string;
  readonly form: (cell: Present) => Present;
  readonly constant: Present;
}

/** Throws `predicate/type-mismatch` and `predicate/literal`. */
export function comparator(column: ArrowColumn, value: Literal): Comparator {
  const { literal, fold } = adapt(column, value);
  const constant = constantOf(literal);
  if (fold) return { kind: 'fold', form: (cell) => (cell as string).toLowerCase(), constant: constant.cell };
  if (column.family === 'exact' && literalFamily(literal) === 'exact') {
    const scale = Math.max(column.scale, constant.scale);
    const factor = 10n ** BigInt(scale - column.scale);
    return {
      kind: `exact ${scale}`,
      form: factor === 1n ? same : (cell) => (cell as bigint) * factor,
      constant: (constant.cell as bigint) * 10n ** BigInt(scale - constant.scale),
    };
  }
  if (column.family === 'exact' && column.scale > 0) {
    return { kind: 'float', form: (cell) => Number(cell) / 10 ** column.scale, constant: constant.cell };
  }
  if (column.family === 'float' && constant.scale > 0) {
    return { kind: 'float', form: same, constant: Number(literal.value) };
  }
  return { kind: column.family === 'float' ? 'float' : 'same', form: same, constant: constant.cell };
}

/** Whether a cell equals any constant: one look-up where all comparators do the same, however many there are (hazard 47). */
export function anyEqual(comparators: readonly Comparator[]): (cell: Present) => boolean {
  const first = comparators[0];
  if (first === undefined) return () => false;
  const alike = comparators.every(
    ({ kind, constant }) => kind === first.kind && typeof constant === typeof first.constant,
  );
  if (alike && first.kind !== 'float' && !(first.kind === 'same' && typeof first.constant === 'number')) {
    const constants = new Set(comparators.map(({ constant }) => constant));
    return (cell) => constants.has(first.form(cell));
  }
  return (cell) => comparators.some(({ form, constant }) => order(form(cell), constant) === 0);
}

function same(cell: Present): Present {
  return cell;
}
