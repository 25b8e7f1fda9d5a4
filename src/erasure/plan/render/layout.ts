import type { TableGraph } from './table-graph.ts';

/** Where each table is drawn. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const BOX = { width: 250, height: 54 };
const GAP = { x: 90, y: 20 };
const MARGIN = 20;
/** Sweeps over the layers; more change little. */
const SWEEPS = 4;

/**
 * Lays tables out in layers from left to right, what feeds a table always to the left of it where there is no cycle, and
 * orders each layer by the middle of its neighbours so that few lines cross. The same graph gives the same picture.
 */
export function layOut({ nodes, edges }: TableGraph): Layout {
  const layerOf = layers(nodes.length, edges);
  const count = Math.max(0, ...layerOf) + 1;
  const columns = Array.from({ length: count }, (_, layer) =>
    nodes.flatMap((_node, at) => (layerOf[at] === layer ? [at] : [])),
  );
  for (const column of columns) column.sort((a, b) => (nodes[a]!.table < nodes[b]!.table ? -1 : 1));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forward = sweep % 2 === 0;
    for (const column of forward ? columns : [...columns].reverse()) {
      const places = placesIn(columns);
      const middle = new Map(column.map((at) => [at, barycentre(at, edges, places, forward)]));
      column.sort((a, b) => middle.get(a)! - middle.get(b)! || (nodes[a]!.table < nodes[b]!.table ? -1 : 1));
    }
  }
  const tallest = Math.max(1, ...columns.map((column) => column.length));
  const heightOf = (rows: number): number => rows * (BOX.height + GAP.y) - GAP.y;
  const boxes: Box[] = [];
  for (const [layer, column] of columns.entries()) {
    const top = MARGIN + (heightOf(tallest) - heightOf(column.length)) / 2;
    for (const [row, at] of column.entries())
      boxes[at] = {
        ...BOX,
        x: MARGIN + layer * (BOX.width + GAP.x),
        y: top + row * (BOX.height + GAP.y),
      };
  }
  return {
    width: 2 * MARGIN + count * (BOX.width + GAP.x) - GAP.x,
    height: 2 * MARGIN + heightOf(tallest),
    boxes,
  };
}

type Edges = TableGraph['edges'];

/** The longest way from a source, in edges; an edge that closes a cycle does not count. */
function layers(count: number, edges: Edges): readonly number[] {
  const feeds = Array.from({ length: count }, (): number[] => []);
  for (const { from, to } of edges) feeds[from]!.push(to);
  const state = new Int8Array(count);
  const order: number[] = [];
  const forward: (readonly [number, number])[] = [];
  for (let root = 0; root < count; root++) {
    if (state[root] !== 0) continue;
    const work: { at: number; next: number }[] = [{ at: root, next: 0 }];
    state[root] = 1;
    while (work.length > 0) {
      const top = work.at(-1)!;
      const to = feeds[top.at]![top.next++];
      if (to === undefined) {
        state[top.at] = 2;
        order.push(top.at);
        work.pop();
      } else if (state[to] !== 1) {
        forward.push([top.at, to]);
        if (state[to] === 0) {
          state[to] = 1;
          work.push({ at: to, next: 0 });
        }
      }
    }
  }
  const after = Array.from({ length: count }, (): number[] => []);
  for (const [from, to] of forward) after[from]!.push(to);
  const layer = new Array<number>(count).fill(0);
  for (const at of order.reverse())
    for (const to of after[at]!) layer[to] = Math.max(layer[to]!, layer[at]! + 1);
  return layer;
}

function placesIn(columns: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  return new Map(columns.flatMap((column) => column.map((at, row) => [at, row / column.length] as const)));
}

function barycentre(at: number, edges: Edges, places: ReadonlyMap<number, number>, forward: boolean): number {
  const near = edges.flatMap(({ from, to }) => {
    if (forward) return to === at ? [places.get(from)!] : [];
    return from === at ? [places.get(to)!] : [];
  });
  return near.length === 0 ? places.get(at)! : near.reduce((sum, place) => sum + place, 0) / near.length;
}
