import { found, html, name } from './dom.ts';
import type { ShownPlan } from './plan.ts';
import type { Selection } from './selection.ts';

const SHOWN = 40;

interface Hit {
  readonly table: number;
  readonly column: number | null;
  readonly text: string;
}

/** Finds tables and columns by any part of their names; a combobox by ARIA's pattern. */
export function showSearch(plan: ShownPlan, selection: Selection): void {
  const input = found<HTMLInputElement>('search');
  const list = found('results');
  const all = hitsOf(plan);
  let hits: readonly Hit[] = [];
  let active = -1;

  const close = (): void => {
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = (hit: Hit | undefined): void => {
    if (hit === undefined) return;
    close();
    input.value = '';
    if (hit.column === null) selection.table(hit.table);
    else selection.column(hit.column);
    // The keys go on from what was found.
    found('detail').focus();
  };
  const mark = (at: number): void => {
    active = at;
    for (const [index, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(index === at));
    const option = list.children[at];
    if (option === undefined) return;
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  };
  const search = (): void => {
    const words = input.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length === 0) {
      close();
      return;
    }
    const matching = all.filter(({ text }) => words.every((word) => text.includes(word)));
    hits = matching.slice(0, SHOWN);
    list.replaceChildren(...hits.map((hit, at) => option(plan, hit, at, () => choose(hit))));
    const left = matching.length - hits.length;
    found('found').textContent = matching.length === 0 ? 'Nothing found' : `${matching.length} found`;
    if (left > 0 || hits.length === 0)
      list.append(
        html('li', { class: 'none', text: hits.length === 0 ? 'Nothing found' : `and ${left} more` }),
      );
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    mark(hits.length === 0 ? -1 : 0);
  };

  input.addEventListener('input', search);
  input.addEventListener('focus', search);
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && hits.length > 0) mark((active + by + hits.length) % hits.length);
    else if (event.key === 'Enter') choose(hits[active]);
    else if (event.key === 'Escape') input.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function hitsOf(plan: ShownPlan): readonly Hit[] {
  return plan.document.tables.flatMap(({ name: own, drawn }, table): Hit[] => {
    if (!drawn) return [];
    const columns = plan.columnsOf(table).map((column) => {
      return { table, column, text: `${own}.${plan.column(column).name}`.toLowerCase() };
    });
    return [{ table, column: null, text: own.toLowerCase() }, ...columns];
  });
}

function option(plan: ShownPlan, { table, column }: Hit, at: number, choose: () => void): HTMLElement {
  const own = column === null ? [] : [name(`.${plan.column(column).name}`)];
  return html(
    'li',
    {
      class: plan.action(table),
      attributes: { role: 'option', id: `result-${at}`, 'aria-selected': 'false' },
      // Before the field loses its focus, which closes the list.
      on: {
        mousedown: (event) => {
          event.preventDefault();
          choose();
        },
      },
    },
    name(plan.table(table).name, column === null ? 'name' : 'of'),
    ...own,
  );
}
