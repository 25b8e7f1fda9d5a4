import { found, html, name } from './dom.ts';
import type { ShownPlan } from './plan.ts';
import type { Selection } from './selection.ts';

/** The steps of the plan in their order, beside the graph; choosing one shows its table. */
export function showSteps(plan: ShownPlan, selection: Selection): void {
  const buttons = plan.document.steps.map((step) => {
    const button = html(
      'button',
      {
        class: `step ${step.action}`,
        attributes: { type: 'button', 'data-table': step.table },
        on: { click: () => selection.table(step.table) },
      },
      name(plan.table(step.table).name),
      html(
        'span',
        { class: 'does' },
        html('b', { class: 'chip', text: step.action }),
        ' ',
        name(detail(step.action, step.does), 'words'),
      ),
    );
    return button;
  });
  found('steps').append(...buttons.map((button) => html('li', {}, button)));
  found('steps').addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (by === undefined || at < 0) return;
    event.preventDefault();
    buttons[at + by]?.focus();
  });
  for (const { title, lines } of plan.document.notes)
    found('notes').append(
      html('h2', { text: title }),
      html('ul', {}, ...lines.map((line) => html('li', {}, name(line, 'words')))),
    );
  selection.onChange((selected) => {
    for (const button of buttons) {
      const chosen = selected !== null && button.dataset.table === String(selected.table);
      if (chosen) {
        button.setAttribute('aria-current', 'step');
        button.scrollIntoView({ block: 'nearest' });
      } else button.removeAttribute('aria-current');
    }
  });
}

/** The words of a step without its action, which the chip says. */
export function detail(action: string, does: string): string {
  return does.startsWith(action) ? does.slice(action.length).replace(/^[:,]? /, '') : does;
}
