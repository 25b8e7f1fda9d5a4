import { html, name } from './dom.ts';
import type { Edge, ShownPlan } from './plan.ts';
import type { Selection } from './selection.ts';

/** Ways into a column, edge by edge: what each edge does, and the job that recorded it. */
export function pathList(
  plan: ShownPlan,
  selection: Selection,
  paths: readonly (readonly Edge[])[],
): HTMLElement {
  const items = paths.map((path) =>
    html(
      'ol',
      { class: 'path' },
      html('li', { class: 'stop' }, columnLink(plan, selection, path[0]![0])),
      ...path.map((edge) =>
        html('li', { class: 'stop' }, recorded(plan, edge), columnLink(plan, selection, edge[1])),
      ),
    ),
  );
  return html('div', { class: 'paths' }, ...items);
}

/** Edges by their other end. */
export function edgeList(
  plan: ShownPlan,
  selection: Selection,
  edges: readonly Edge[],
  end: 'from' | 'to',
): HTMLElement {
  const items = edges.map((edge) =>
    html(
      'li',
      { class: 'edge' },
      columnLink(plan, selection, edge[end === 'from' ? 0 : 1]),
      recorded(plan, edge),
    ),
  );
  return html('ul', { class: 'edges' }, ...items);
}

function recorded(plan: ShownPlan, edge: Edge): HTMLElement {
  const { job, run, at } = plan.document.writes[edge[3]]!;
  const when = [...(run === null ? [] : [`run ${run}`]), ...(at === null ? [] : [`${at} UTC`])];
  return html(
    'div',
    { class: 'recorded' },
    html(
      'span',
      { class: 'roles' },
      ...plan.roles(edge).map((role) => html('b', { class: 'role', text: role })),
    ),
    html('span', { class: 'job' }, 'by ', name(job)),
    ...(when.length === 0 ? [] : [html('span', { class: 'run' }, name(when.join(', '), 'words'))]),
  );
}

function columnLink(plan: ShownPlan, selection: Selection, column: number): HTMLElement {
  const { table, name: own } = plan.column(column);
  const of = plan.table(table);
  const whole = own === '*';
  const words = [
    name(`${of.name}${whole ? '' : '.'}`, 'of'),
    whole ? html('span', { class: 'name', text: ' all rows' }) : name(own),
  ];
  if (!of.drawn)
    return html(
      'span',
      { class: 'end outside' },
      ...words,
      html('span', { class: 'hint', text: 'not in the plan' }),
    );
  return html(
    'button',
    {
      class: `end ${plan.action(table)}`,
      attributes: { type: 'button' },
      on: { click: () => (whole ? selection.table(table) : selection.column(column)) },
    },
    ...words,
  );
}
