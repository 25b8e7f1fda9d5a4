import { MARKS } from '../../step-text.ts';
import { CARD } from '../card.ts';
import { svg } from './dom.ts';
import { fitted } from './fit.ts';
import type { ShownPlan } from './plan.ts';
import type { Selection } from './selection.ts';

/** Where a card's texts begin, and the room that they leave at its right side. */
const [TEXT, ROW_TEXT, ROOM] = [18, 34, 12];

/** A table as it is drawn, and the rows of its columns by their numbers; a column that is not listed has none. */
export interface Card {
  readonly element: SVGGElement;
  readonly rows: ReadonlyMap<number, SVGGElement>;
}

/** Draws one table, with its columns where they are asked for. */
export function drawCard(
  plan: ShownPlan,
  selection: Selection,
  { table, x, y, height, columns }: { table: number; x: number; y: number; height: number; columns: boolean },
): Card {
  const action = plan.action(table);
  const { name } = plan.table(table);
  const does = plan.step(table)?.does ?? 'passed through';
  const cut = name.lastIndexOf('.') + 1;
  const rows = columns ? drawRows(plan, selection, table) : new Map<number, SVGGElement>();
  const left = columns ? plan.columnsOf(table).length - rows.size : 0;
  const face = svg(
    'g',
    {
      class: 'face',
      attributes: { role: 'button', tabindex: -1, 'aria-label': `${name}: ${does}`, 'data-table': table },
      on: { click: () => selection.table(table) },
    },
    svg('title', { text: `${name}\n${does}` }),
    svg('rect', { class: 'frame', attributes: { width: CARD.width, height, rx: 8 } }),
    svg('path', {
      class: 'bar',
      attributes: { d: `M5 .58A8 8 0 0 0 0 8V${height - 8}A8 8 0 0 0 5 ${height - 0.58}z` },
    }),
    svg('text', { class: 'title near', attributes: { x: TEXT, y: 21 } }, ...titleOf(name, cut)),
    svg(
      'text',
      { class: 'does near', attributes: { x: TEXT, y: 39 } },
      svg('tspan', {
        class: 'mark',
        text: plan.step(table) === undefined ? '→' : MARKS[plan.step(table)!.action],
      }),
      ` ${fitted(does, CARD.width - TEXT - ROOM - 14, { size: 12 }, 'start')}`,
    ),
    svg('text', {
      class: 'title only-far',
      text: fitted(name.slice(cut), CARD.width - TEXT - ROOM, { size: 25, weight: 650 }, 'ends'),
      attributes: { x: TEXT, y: 33 },
    }),
  );
  const more = svg('text', {
    class: 'more near',
    text: `and ${left} more`,
    attributes: { x: ROW_TEXT, y: CARD.head + CARD.pad + rows.size * CARD.row + 15 },
  });
  const element = svg(
    'g',
    { class: `card ${action}`, attributes: { transform: `translate(${x} ${y})` } },
    face,
    ...(rows.size === 0
      ? []
      : [svg('path', { class: 'rule near', attributes: { d: `M5 ${CARD.head}H${CARD.width}` } })]),
    ...rows.values(),
    ...(left > 0 ? [more] : []),
  );
  return { element, rows };
}

/** The middle of a column's row, from the card's top. A column that is not listed stands where the count of those does. */
export function rowMiddle(row: number): number {
  return CARD.head + CARD.pad + (Math.min(row, CARD.rows) + 0.5) * CARD.row;
}

function drawRows(plan: ShownPlan, selection: Selection, table: number): Map<number, SVGGElement> {
  const shown = plan.columnsOf(table).slice(0, CARD.rows);
  return new Map(
    shown.map((column, at) => {
      const { name, part } = plan.column(column);
      const middle = rowMiddle(at);
      const row = svg(
        'g',
        {
          class: `row near ${part}`,
          attributes: {
            role: 'button',
            tabindex: -1,
            'aria-label': `${name}, column of ${plan.table(table).name}${part === '' ? '' : `, ${part}`}`,
            'data-column': column,
          },
          on: { click: () => selection.column(column) },
        },
        svg('title', { text: name }),
        svg('rect', {
          class: 'frame',
          attributes: { x: 9, y: middle - CARD.row / 2, width: CARD.width - 14, height: CARD.row, rx: 4 },
        }),
        ...(part === '' ? [] : [svg('path', { class: 'sign', attributes: { d: signAt(part, middle) } })]),
        svg('text', {
          text: fitted(name, CARD.width - ROW_TEXT - ROOM, { size: 12.5, weight: 600 }, 'ends'),
          attributes: { x: ROW_TEXT, y: middle + 4 },
        }),
      );
      return [column, row];
    }),
  );
}

/** A key's diamond, or the bar of a column that is cleared. */
function signAt(part: string, y: number): string {
  return part === 'key' ? `M22 ${y - 5}l5 5l-5 5l-5-5z` : `M17 ${y - 1.2}h10v2.4h-10z`;
}

function titleOf(name: string, cut: number): readonly Node[] {
  const short = fitted(name, CARD.width - TEXT - ROOM, { size: 13, weight: 650 }, 'ends');
  const at = short === name ? cut : 0;
  return [
    svg('tspan', { class: 'schema', text: short.slice(0, at) }),
    svg('tspan', { class: 'table', text: short.slice(at) }),
  ];
}
