import { type Groups, groupBy } from '../../../lineage/group.ts';
import type { Write } from '../../../lineage/index.ts';

/** All edges of some writes side by side, found by either end: built in time and space linear in their number. */
export interface EdgeIndex {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly roles: Uint16Array;
  /** Edge to the number of its write. */
  readonly write: Int32Array;
  /** The numbers of the edges by the column that they leave, and by the one that they come into: for loops over many columns. */
  readonly leaving: Groups;
  readonly coming: Groups;
  /** The numbers of the edges that leave a column. */
  outOf(column: number): Int32Array;
  /** The numbers of the edges that come into a column. */
  into(column: number): Int32Array;
  /** Whether any edge comes into a column. */
  isFilled(column: number): boolean;
}

/** Indexes the edges of `writes` over `columns` columns. */
export function indexEdges(writes: readonly Write[], columns: number): EdgeIndex {
  const size = writes.reduce((sum, { edges }) => sum + edges.from.length, 0);
  const from = new Int32Array(size);
  const to = new Int32Array(size);
  const roles = new Uint16Array(size);
  const write = new Int32Array(size);
  let at = 0;
  for (const [number, { edges }] of writes.entries()) {
    from.set(edges.from, at);
    to.set(edges.to, at);
    roles.set(edges.roles, at);
    write.fill(number, at, at + edges.from.length);
    at += edges.from.length;
  }
  const leaving = groupBy(from, columns);
  const coming = groupBy(to, columns);
  return {
    from,
    to,
    roles,
    write,
    leaving,
    coming,
    outOf: (column) => leaving.items.subarray(leaving.starts[column], leaving.starts[column + 1]),
    into: (column) => coming.items.subarray(coming.starts[column], coming.starts[column + 1]),
    isFilled: (column) => coming.starts[column]! < coming.starts[column + 1]!,
  };
}
