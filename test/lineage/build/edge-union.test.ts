import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EdgeUnion } from '../../../src/lineage/build/edge-union.ts';
import { indexTables } from '../../../src/lineage/build/table-index.ts';
import { Interner } from '../../../src/lineage/collect/interner.ts';

type Edge = readonly [from: number, to: number, roles: number];

const COLUMNS = 60;
const index = tableOf(COLUMNS);
const edge = fc.tuple(fc.nat(COLUMNS - 1), fc.nat(COLUMNS - 1), fc.integer({ min: 1, max: 0xfff }));
const scattered = fc.array(edge, { maxLength: 900, size: 'max' });
/** In order, or nearly, as producers list them; backwards, more moves than sorting in place may take. */
const written = fc
  .tuple(scattered, fc.constantFrom('scattered', 'in order', 'nearly', 'backwards'))
  .map(([edges, order]): readonly Edge[] => {
    if (order === 'scattered') return edges;
    const sorted = [...edges].sort(byEnds);
    if (order === 'backwards') return sorted.reverse();
    if (order === 'nearly' && sorted.length > 4) sorted.splice(3, 0, sorted.pop()!);
    return sorted;
  });

test('L1b: equal edges are joined and all are ordered by their ends, as a map and a sort do it', () => {
  const union = new EdgeUnion(index);
  fc.assert(
    fc.property(written, (edges) => {
      union.begin();
      for (const [from, to, roles] of edges) union.add(from, to, roles);
      expect(edgesIn(union)).toEqual(joined(edges));
    }),
    { seed: 23, numRuns: 150 },
  );
});

test('what one write left behind is not in the next, and what was taken of it stays', () => {
  const union = new EdgeUnion(index);
  union.begin();
  for (let at = 0; at < COLUMNS; at++) union.add(at, COLUMNS - 1 - at, 1);
  const first = union.toArrays();
  const before = [...first.from];
  union.begin();
  union.add(7, 8, 2);
  expect(edgesIn(union)).toEqual([[7, 8, 2]]);
  expect([...first.from]).toEqual(before);
});

function edgesIn(union: EdgeUnion): readonly Edge[] {
  const { from, to, roles } = union.toArrays();
  return Array.from(from, (source, at): Edge => [source, to[at]!, roles[at]!]);
}

function joined(edges: readonly Edge[]): readonly Edge[] {
  const masks = new Map<string, Edge>();
  for (const [from, to, roles] of edges)
    masks.set(`${from} ${to}`, [from, to, (masks.get(`${from} ${to}`)?.[2] ?? 0) | roles]);
  return [...masks.values()].sort(byEnds);
}

function byEnds(a: Edge, b: Edge): number {
  return a[1] - b[1] || a[0] - b[0];
}

/** One table; the first of its columns stands for the whole of it. */
function tableOf(columns: number): ReturnType<typeof indexTables> {
  const interner = new Interner();
  const dataset = interner.dataset('warehouse', 'table');
  for (let column = 1; column < columns; column++) interner.column(dataset, `column ${column}`);
  return indexTables(interner, [{ namespace: 'warehouse', name: 'table', table: 's.t', by: 'naming' }]);
}
