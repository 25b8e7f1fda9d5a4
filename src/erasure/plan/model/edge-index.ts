import type { Write } from '../../../lineage/index.ts';

/** All edges of some writes side by side, found by either end: built in time and space linear in their number. */
export interface EdgeIndex {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly roles: Uint16Array;
  /** Edge to the number of its write. */
  readonly write: Int32Array;
  /** The numbers of the edges that leave a column. */
  outOf(column: number): Int32Array;
  /** The numbers of the edges that come into a column. */
  into(column: number): Int32Array;
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
  const leaving = bucket(from, columns);
  const coming = bucket(to, columns);
  return {
    from,
    to,
    roles,
    write,
    outOf: (column) => leaving.edges.subarray(leaving.starts[column], leaving.starts[column + 1]),
    into: (column) => coming.edges.subarray(coming.starts[column], coming.starts[column + 1]),
  };
}

/** Counting sort: the numbers of the edges by their column. */
function bucket(
  ends: Int32Array,
  columns: number,
): { readonly starts: Int32Array; readonly edges: Int32Array } {
  const starts = new Int32Array(columns + 1);
  for (const column of ends) starts[column + 1]! += 1;
  for (let column = 0; column < columns; column++) starts[column + 1]! += starts[column]!;
  const next = starts.slice();
  const edges = new Int32Array(ends.length);
  for (let edge = 0; edge < ends.length; edge++) edges[next[ends[edge]!]!++] = edge;
  return { starts, edges };
}
