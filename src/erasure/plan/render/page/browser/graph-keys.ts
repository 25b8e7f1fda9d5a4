import { found } from './dom.ts';
import type { Graph } from './graph.ts';
import type { ShownPlan } from './plan.ts';
import type { Selection } from './selection.ts';

/**
 * The graph by keys: it is one stop of the Tab key, and the arrows move in it. Left and right follow the passages, up and
 * down go through the columns of a table and on to the tables of the same layer; Enter or space chooses.
 */
export function walkByKeys(plan: ShownPlan, selection: Selection, graph: Graph): void {
  const frame = found<SVGSVGElement>('graph');
  frame.addEventListener('focusin', ({ target }) => {
    const element = target as SVGElement;
    for (const other of frame.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1');
    element.setAttribute('tabindex', '0');
    if (element.matches(':focus-visible')) graph.view.reveal(graph.boxOf(placeOf(plan, element)));
  });
  frame.addEventListener('keydown', (event) => {
    const element = event.target as SVGElement;
    const at = placeOf(plan, element);
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (at.column === null) selection.table(at.table);
      else selection.column(at.column);
      return;
    }
    const next = nextOf(plan, graph, at, event.key);
    if (next === undefined) return;
    event.preventDefault();
    next.focus({ preventScroll: true });
  });
}

type Place = { readonly table: number; readonly column: number | null };

function placeOf(plan: ShownPlan, element: SVGElement): Place {
  const { table, column } = element.dataset;
  if (column === undefined) return { table: Number(table ?? 0), column: null };
  return { table: plan.column(Number(column)).table, column: Number(column) };
}

function nextOf(plan: ShownPlan, graph: Graph, at: Place, key: string): SVGElement | undefined {
  switch (key) {
    case 'ArrowLeft':
      return faceOf(
        graph,
        nearest(
          graph,
          at.table,
          plan.document.passages.flatMap(({ from, to }) => (to === at.table ? [from] : [])),
        ),
      );
    case 'ArrowRight':
      return faceOf(
        graph,
        nearest(
          graph,
          at.table,
          plan.document.passages.flatMap(({ from, to }) => (from === at.table ? [to] : [])),
        ),
      );
    case 'ArrowDown':
    case 'ArrowUp':
      return upOrDown(graph, at, key === 'ArrowDown' ? 1 : -1);
    case 'Home':
      return faceOf(graph, 0);
    default:
      return undefined;
  }
}

function upOrDown(graph: Graph, at: Place, by: 1 | -1): SVGElement | undefined {
  const rows = [...graph.cards[at.table]!.rows];
  const row = at.column === null ? -1 : rows.findIndex(([column]) => column === at.column);
  const next = row + by;
  if (at.column !== null && next < 0) return faceOf(graph, at.table);
  if (next >= 0 && next < rows.length) return rows[next]![1];
  const [x, y, width] = graph.picture.boxes[at.table]!;
  const layer = graph.picture.boxes.flatMap((box, table) =>
    Math.abs(box[0] - x) < width && (box[1] - y) * by > 0 ? [table] : [],
  );
  return faceOf(graph, nearest(graph, at.table, layer));
}

/** Of some tables the one that is drawn nearest. */
function nearest(graph: Graph, from: number, tables: readonly number[]): number | undefined {
  const { boxes } = graph.picture;
  const away = (table: number): number =>
    Math.hypot(boxes[table]![0] - boxes[from]![0], boxes[table]![1] - boxes[from]![1]);
  return [...tables].sort((a, b) => away(a) - away(b))[0];
}

function faceOf(graph: Graph, table: number | undefined): SVGElement | undefined {
  return table === undefined
    ? undefined
    : (graph.cards[table]?.element.querySelector<SVGElement>('.face') ?? undefined);
}
