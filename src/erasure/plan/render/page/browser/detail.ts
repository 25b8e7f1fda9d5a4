import { found, html, name } from './dom.ts';
import { edgeList, pathList } from './path.ts';
import type { ShownPlan } from './plan.ts';
import type { Selected, Selection } from './selection.ts';
import { detail } from './steps.ts';

/** More ways than this into one column are counted, not listed. */
const WAYS = 12;

/** What is known of the selected table or column: what is done and why, and how values came there. */
export function showDetail(plan: ShownPlan, selection: Selection): void {
  const panel = found('detail');
  const close = html('button', {
    class: 'close',
    text: '×',
    attributes: { type: 'button', 'aria-label': 'Close (Escape)', title: 'Close (Escape)' },
    on: { click: () => selection.clear() },
  });
  selection.onChange((selected) => {
    panel.hidden = selected === null;
    if (selected === null) return panel.replaceChildren();
    panel.replaceChildren(close, ...content(plan, selection, selected));
    panel.scrollTop = 0;
  });
}

function content(plan: ShownPlan, selection: Selection, { table, column }: Selected): readonly Node[] {
  return column === null ? tableContent(plan, selection, table) : columnContent(plan, selection, column);
}

function tableContent(plan: ShownPlan, selection: Selection, table: number): readonly Node[] {
  const step = plan.step(table);
  const columns = plan.columnsOf(table);
  return [
    html('h2', {}, name(plan.table(table).name)),
    ...(step === undefined
      ? [html('p', { class: 'does', text: 'No step of its own: data passes through it.' })]
      : [
          html(
            'p',
            { class: `does ${step.action}` },
            html('b', { class: 'chip', text: step.action }),
            ' ',
            name(detail(step.action, step.does), 'words'),
          ),
          ...(step.reason === null ? [] : [quoted(step.reason, step.decidedBy)]),
          html('h3', { text: 'Why' }),
          html('p', { class: 'why' }, name(step.why, 'words')),
          ...titled(
            'What has to be decided',
            step.causes.map(({ code, what }) =>
              html('li', {}, html('code', { text: code }), ' ', name(what, 'words')),
            ),
          ),
          ...titled(
            'Ask the data',
            step.probes.map(({ asks, sql }) =>
              html('li', {}, name(asks, 'words'), html('pre', { text: sql, attributes: { tabindex: 0 } })),
            ),
          ),
        ]),
    ...titled(
      'Columns',
      columns.map((column) => html('li', {}, columnButton(plan, selection, column))),
      'columns',
    ),
  ];
}

function columnContent(plan: ShownPlan, selection: Selection, column: number): readonly Node[] {
  const { table, name: own, part } = plan.column(column);
  const paths = plan.pathsTo(column);
  const shaping = plan.shaping(column);
  const onwards = plan.outOf(column);
  return [
    html(
      'p',
      { class: 'of' },
      html(
        'button',
        { class: 'link', attributes: { type: 'button' }, on: { click: () => selection.table(table) } },
        name(plan.table(table).name),
      ),
    ),
    html('h2', {}, name(own)),
    html(
      'p',
      { class: `does ${plan.action(table)}` },
      html('b', { class: 'chip', text: chip(plan.action(table)) }),
      ` ${said(plan.action(table), part)}`,
    ),
    html('h3', { text: 'Where its values come from' }),
    ...(paths.length === 0
      ? [html('p', { class: 'none', text: 'From outside: no job of the lineage fills it.' })]
      : [pathList(plan, selection, paths.slice(0, WAYS)), ...more(paths.length - WAYS, 'ways')]),
    ...section('What decided which rows are here', shaping.length, () =>
      edgeList(plan, selection, shaping, 'from'),
    ),
    ...section('Where its values go', onwards.length, () => edgeList(plan, selection, onwards, 'to')),
  ];
}

function columnButton(plan: ShownPlan, selection: Selection, column: number): Node {
  const { name: own, part } = plan.column(column);
  const hint = part === '' ? [] : [html('span', { class: 'hint', text: part === 'key' ? 'key' : 'cleared' })];
  return html(
    'button',
    {
      class: `column ${part}`,
      attributes: { type: 'button' },
      on: { click: () => selection.column(column) },
    },
    name(own),
    ...hint,
  );
}

function said(action: string, part: string): string {
  if (part === 'clear') return 'this column is cleared in the rows that stay';
  if (part === 'key' && action === 'delete') return 'the rows to delete are found by this column';
  if (part === 'key') return 'a key: it holds ids of the person’s rows';
  return (
    {
      delete: 'goes with the row',
      rebuild: 'made again without the person',
      keep: 'stays',
      review: 'waits for a decision',
      passage: 'passes through',
    }[action] ?? 'not touched'
  );
}

function chip(action: string): string {
  return action === 'passage' ? 'passed through' : action === 'outside' ? 'not in the plan' : action;
}

function quoted(reason: string, by: string | null): Node {
  return html(
    'blockquote',
    {},
    name(reason, 'words'),
    ...(by === null ? [] : [html('footer', {}, name(by, 'words'))]),
  );
}

function titled(title: string, items: readonly Node[], className = ''): readonly Node[] {
  return items.length === 0 ? [] : [html('h3', { text: title }), html('ul', { class: className }, ...items)];
}

function section(title: string, count: number, list: () => Node): readonly Node[] {
  return count === 0 ? [] : [html('h3', { text: title }), list()];
}

function more(count: number, what: string): readonly Node[] {
  return count <= 0 ? [] : [html('p', { class: 'none', text: `and ${count} more ${what}` })];
}
