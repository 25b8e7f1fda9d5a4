import { Graph, layout } from '@dagrejs/dagre';
import { CARD } from './card.ts';
import type { Picture } from './document.ts';

/** What is laid out: cards by their heights, and lines between them by their places. */
export interface LayOut {
  readonly heights: readonly number[];
  readonly lines: readonly { readonly from: number; readonly to: number; readonly label: string }[];
  /** Whether room is kept for the labels. */
  readonly labelled: boolean;
}

const MARGIN = 24;
/** Gaps between layers, cards of a layer and lines; a picture of many cards is set closer, so that it stays in sight. */
const GAPS = { wide: { across: 96, down: 18, line: 8 }, close: { across: 130, down: 8, line: 2 } };
const MANY = 80;
/** A picture that is not this much wider than high has room at its side. */
const BROAD = 1.3;
/** How far the layers of a high picture of many cards are drawn apart, at most, to fill that room: its lines need it. */
const SPREAD = 2;
/** Roughly, for the page's small text. */
const CHARACTER = 6.2;

/**
 * Lays cards out in layers from left to right, with few crossings, by dagre. Cards that nothing feeds and that feed nothing
 * stand in rows below. The same input gives the same picture.
 */
export function layOut({ heights, lines, labelled }: LayOut): Picture {
  const gap = heights.length > MANY ? GAPS.close : GAPS.wide;
  const joined = new Set(lines.flatMap(({ from, to }) => [from, to]));
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: 'LR',
    nodesep: gap.down,
    edgesep: gap.line,
    ranksep: labelled ? gap.across / 2 : gap.across,
    marginx: MARGIN,
    marginy: MARGIN,
  });
  for (const at of joined) graph.setNode(String(at), { width: CARD.width, height: heights[at]! });
  for (const [at, { from, to, label }] of lines.entries()) {
    const room =
      labelled && label !== '' ? { width: 16 + label.length * CHARACTER, height: 16, labelpos: 'c' } : {};
    graph.setEdge(String(from), String(to), room, String(at));
  }
  if (joined.size > 0) layout(graph);
  const whole = graph.graph();
  const { width = 0, height = 0 } = joined.size === 0 ? {} : whole;
  const apart =
    heights.length > MANY && width > 0 ? Math.min(SPREAD, Math.max(1, (BROAD * height) / width)) : 1;
  const size = { width: width * apart, height };
  const boxes: Box[] = [];
  for (const at of joined) {
    const { x, y } = graph.node(String(at)) as Point;
    const height = heights[at]!;
    boxes[at] = [Math.round(x * apart - CARD.width / 2), Math.round(y - height / 2), CARD.width, height];
  }
  const ways = lines.map(({ from, to }, at) => {
    const way = graph.edge(String(from), String(to), String(at)) as Point & { points: readonly Point[] };
    // The ends are the page's own: it draws from the side of a card, or from a row of it.
    return { label: way, points: way.points.slice(1, -1) };
  });
  const room = placeAlone({ boxes, heights, size, down: gap.down });
  const placed = (x: number, y: number): [number, number] => [
    Math.round(x * apart + room.shift),
    Math.round(y),
  ];
  return {
    width: Math.round(room.width),
    height: Math.round(room.height),
    boxes,
    lines: ways.map(({ points }) => points.flatMap(({ x, y }) => placed(x, y))),
    labels: labelled
      ? ways.map(({ label: { x, y } }, at) => (lines[at]!.label === '' ? [] : placed(x, y)))
      : [],
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

type Box = [number, number, number, number];

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Placing {
  readonly boxes: Box[];
  readonly heights: readonly number[];
  readonly size: Size;
  readonly down: number;
}

/** Places the cards that have no box yet: in columns before the others where there is room at the side, else in rows below. */
function placeAlone({ boxes, heights, size, down }: Placing): Size & { readonly shift: number } {
  const alone = [...heights.keys()].filter((at) => boxes[at] === undefined);
  if (alone.length === 0) return { ...size, shift: 0 };
  if (size.width > BROAD * size.height) return { ...below({ boxes, heights, size, down }, alone), shift: 0 };
  const most = Math.max(size.height, Math.sqrt(alone.length) * CARD.width) - MARGIN;
  let [x, y, height] = [MARGIN, MARGIN, size.height];
  for (const at of alone) {
    if (y > MARGIN && y + heights[at]! > most) [x, y] = [x + CARD.width + down, MARGIN];
    boxes[at] = [x, y, CARD.width, heights[at]!];
    y += heights[at]! + down;
    height = Math.max(height, y - down + MARGIN);
  }
  const shift = x + CARD.width + 2 * down;
  const apart = new Set(alone);
  for (const [at, box] of boxes.entries()) if (!apart.has(at)) box[0] += shift;
  return { width: size.width === 0 ? shift : size.width + shift, height, shift };
}

function below({ boxes, heights, size, down }: Placing, alone: readonly number[]): Size {
  const width = Math.max(size.width, 3 * CARD.width + 2 * down + 2 * MARGIN);
  let [x, y, tallest] = [MARGIN, Math.round(size.height + down), 0];
  for (const at of alone) {
    if (x + CARD.width > width - MARGIN) [x, y, tallest] = [MARGIN, y + tallest + down, 0];
    boxes[at] = [x, y, CARD.width, heights[at]!];
    x += CARD.width + down;
    tallest = Math.max(tallest, heights[at]!);
  }
  return { width, height: y + tallest + MARGIN };
}
