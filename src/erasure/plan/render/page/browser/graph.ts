import { CARD } from '../card.ts';
import type { PagePassage, Picture } from '../document.ts';
import { type Card, drawCard, rowMiddle } from './card.ts';
import { found, svg } from './dom.ts';
import type { Edge, ShownPlan } from './plan.ts';
import type { Selected, Selection } from './selection.ts';
import { type Box, Viewport } from './viewport.ts';

export type Mode = 'tables' | 'columns';

/** Up to as many tables, the page opens with their columns. */
const SMALL = 16;

/** The drawing: cards, the passages between them, and over them the edges of the column that is looked at. */
export class Graph {
  readonly view: Viewport;
  readonly #plan: ShownPlan;
  readonly #selection: Selection;
  readonly #world: SVGGElement;
  mode: Mode;
  cards: readonly Card[] = [];
  #lines: readonly SVGGElement[] = [];
  #labels: readonly SVGTextElement[] = [];
  #over: SVGGElement = svg('g');

  constructor(plan: ShownPlan, selection: Selection) {
    this.#plan = plan;
    this.#selection = selection;
    this.#world = found<SVGGElement>('world');
    this.view = new Viewport(found<SVGSVGElement>('graph'), this.#world);
    this.mode = plan.document.steps.length <= SMALL ? 'columns' : 'tables';
    selection.onChange((selected) => {
      this.#highlight(selected);
      if (selected !== null) this.view.show(this.#litBoxes(selected), this.boxOf(selected));
    });
    this.show(this.mode);
  }

  get picture(): Picture {
    return this.#plan.document.pictures[this.mode];
  }

  /** Draws the tables with or without their columns. */
  show(mode: Mode): void {
    this.mode = mode;
    const { boxes, labels } = this.picture;
    this.cards = boxes.map(([x, y, , height], table) =>
      drawCard(this.#plan, this.#selection, { table, x, y, height, columns: mode === 'columns' }),
    );
    this.#lines = this.#plan.document.passages.map((passage, at) => {
      const { kind, label, from, to } = passage;
      const d = level(this.#way(passage, at));
      const ends = `${this.#plan.table(from).name} → ${this.#plan.table(to).name}: ${label}`;
      return svg(
        'g',
        { class: `passage ${kind}` },
        svg('title', { text: ends }),
        svg('path', { class: 'wide', attributes: { d } }),
        svg('path', { class: 'line', attributes: { d, 'marker-end': 'url(#tip)' } }),
      );
    });
    this.#labels = this.#plan.document.passages.map(({ label }, at) => {
      const [x, y = 0] = labels[at] ?? [];
      return x === undefined
        ? svg('text')
        : svg('text', { class: 'label near', text: label, attributes: { x, y: y + 3.5 } });
    });
    this.#over = svg('g', { class: 'over' });
    this.#world.replaceChildren(
      svg('g', {}, ...this.#lines),
      // Over all lines, so that none runs through a word.
      svg('g', {}, ...this.#labels),
      svg('g', {}, ...this.cards.map(({ element }) => element)),
      this.#over,
    );
    this.cards[0]?.element.querySelector('.face')?.setAttribute('tabindex', '0');
    const selected = this.#selection.current;
    this.#highlight(selected);
    this.whole();
    if (selected !== null) this.view.show(this.#litBoxes(selected), this.boxOf(selected));
  }

  whole(): void {
    this.view.fit([0, 0, this.picture.width, this.picture.height]);
  }

  /** Where a table or a listed column is drawn. */
  boxOf({ table, column }: Selected): Box {
    const box = this.picture.boxes[table]!;
    const row = column === null || this.mode === 'tables' ? -1 : this.#plan.columnsOf(table).indexOf(column);
    return row < 0 ? box : [box[0], box[1] + rowMiddle(row) - 11, box[2], 22];
  }

  #litBoxes(selected: Selected): readonly Box[] {
    const { boxes } = this.picture;
    const lit = boxes.filter((_, table) => this.cards[table]!.element.classList.contains('lit'));
    return [...lit, this.boxOf(selected)];
  }

  #highlight(selected: Selected | null): void {
    const plan = this.#plan;
    const edges = selected === null ? [] : this.#edgesOf(selected);
    const tables = new Set(edges.flatMap(([from, to]) => [plan.column(from).table, plan.column(to).table]));
    const pairs = new Set(edges.map(([from, to]) => `${plan.column(from).table} ${plan.column(to).table}`));
    if (selected !== null) tables.add(selected.table);
    const columns = new Set(
      selected?.column == null ? [] : [selected.column, ...edges.flatMap((edge) => edge.slice(0, 2))],
    );
    this.#world.classList.toggle('looking', selected !== null);
    for (const [table, { element, rows }] of this.cards.entries()) {
      element.classList.toggle('lit', tables.has(table));
      element.classList.toggle('chosen', selected?.table === table && selected.column === null);
      for (const [column, row] of rows) {
        row.classList.toggle('lit', columns.has(column));
        row.classList.toggle('chosen', selected?.column === column);
      }
    }
    for (const [at, { from, to }] of plan.document.passages.entries()) {
      const lit = selected !== null && this.#isLit(selected, pairs, from, to);
      this.#lines[at]!.classList.toggle('lit', lit);
      this.#labels[at]?.classList.toggle('lit', lit);
    }
    const drawn = this.mode === 'columns' && selected?.column != null ? edges : [];
    this.#over.replaceChildren(...drawn.flatMap((edge) => this.#columnLine(edge)));
  }

  /** The ways to a column and on from it; for a table, what feeds it and what it feeds. */
  #edgesOf({ table, column }: Selected): readonly Edge[] {
    const plan = this.#plan;
    if (column !== null)
      return [...new Set([...plan.pathsTo(column).flat(), ...plan.shaping(column), ...plan.onwards(column)])];
    const [first, end] = plan.table(table).columns;
    return plan.document.edges.filter(
      ([from, to]) => (from >= first && from < end) || (to >= first && to < end),
    );
  }

  #isLit({ table, column }: Selected, pairs: ReadonlySet<string>, from: number, to: number): boolean {
    return pairs.has(`${from} ${to}`) || (column === null && (from === table || to === table));
  }

  /** From the side of one card, or the row of the key that is copied, to that of the other. */
  #way({ from, to }: PagePassage, at: number): readonly (readonly [number, number])[] {
    const { boxes, lines } = this.picture;
    const [source, target] = [boxes[from]!, boxes[to]!];
    const between: [number, number][] = [];
    for (let point = 0; point < lines[at]!.length; point += 2)
      between.push([lines[at]![point]!, lines[at]![point + 1]!]);
    const behind = target[0] < source[0] + source[2];
    return [
      [source[0] + source[2], source[1] + CARD.head / 2],
      ...(behind ? between.reverse() : between),
      [target[0] - 1, target[1] + CARD.head / 2],
    ];
  }

  #columnLine(edge: Edge): readonly SVGElement[] {
    const [from, to] = [edge[0], edge[1]].map((column) => this.#endOf(column)) as [End | null, End | null];
    if (from === null || to === null) return [];
    const d = level([
      [from.box[0] + from.box[2], from.y],
      [to.box[0] - 1, to.y],
    ]);
    const kind = this.#plan.carriesValue(edge) ? 'values' : 'shape';
    return [
      svg('path', {
        class: `column-line ${kind}`,
        attributes: {
          d,
          'marker-end': 'url(#lit-tip)',
        },
      }),
    ];
  }

  #endOf(column: number): End | null {
    const { table } = this.#plan.column(column);
    const box = this.picture.boxes[table];
    if (box === undefined) return null;
    const row = this.#plan.columnsOf(table).indexOf(column);
    return { box, y: box[1] + (row < 0 ? CARD.head / 2 : rowMiddle(row)) };
  }
}

interface End {
  readonly box: Box;
  readonly y: number;
}

/** A line through points that runs level at each of them. */
function level(points: readonly (readonly [number, number])[]): string {
  const [[x0, y0], ...rest] = points as [readonly [number, number], ...(readonly [number, number])[]];
  let [path, x, y] = [`M${x0} ${y0}`, x0, y0];
  for (const [nextX, nextY] of rest) {
    const bend = nextX > x ? (nextX - x) / 2 : 60;
    path += `C${x + bend} ${y} ${nextX - bend} ${nextY} ${nextX} ${nextY}`;
    [x, y] = [nextX, nextY];
  }
  return path;
}
