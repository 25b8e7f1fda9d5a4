import type { PrimitiveType } from '../../schema.ts';
import { type Comparable, encodeBound } from '../manifest/single-value.ts';
import type { MetricsMode } from './modes.ts';
import { truncateBytes, truncateBytesUp, truncateText, truncateTextUp } from './truncate.ts';

/**
 * The bound that a least or greatest value gives, in the single-value form of the specification's Appendix D; undefined
 * where there is none (all values null or NaN, no bounds in this mode, an upper bound that cannot be cut).
 */
export function bound(
  end: 'lower' | 'upper',
  value: Comparable | null,
  column: { readonly type: PrimitiveType; readonly mode: MetricsMode },
): Uint8Array | undefined {
  const { type, mode } = column;
  if (value === null || mode.kind === 'none' || mode.kind === 'counts') return undefined;
  if (mode.kind === 'truncate' && value instanceof Uint8Array && type !== 'uuid') {
    return (
      (type === 'string' ? cutText(end, value, mode.length) : cutBytes(end, value, mode.length)) ?? undefined
    );
  }
  return Uint8Array.from(encodeBound(type, value === 0 ? outerZero(end) : value));
}

function cutText(end: 'lower' | 'upper', bytes: Uint8Array, length: number): Uint8Array | null {
  const text = Buffer.from(bytes).toString('utf8');
  const cut = end === 'lower' ? truncateText(text, length) : truncateTextUp(text, length);
  return cut === null ? null : Uint8Array.from(Buffer.from(cut, 'utf8'));
}

function cutBytes(end: 'lower' | 'upper', bytes: Uint8Array, length: number): Uint8Array | null {
  return end === 'lower' ? truncateBytes(bytes, length) : truncateBytesUp(bytes, length);
}

/** DuckDB takes -0 and 0 for equal, Iceberg puts -0 first: a bound that is zero must lie outside both. */
function outerZero(end: 'lower' | 'upper'): number {
  return end === 'lower' ? -0 : 0;
}
