import type { PageDocument } from '../document.ts';
import { showDetail } from './detail.ts';
import { found } from './dom.ts';
import { Graph, type Mode } from './graph.ts';
import { walkByKeys } from './graph-keys.ts';
import { ShownPlan } from './plan.ts';
import { showSearch } from './search.ts';
import { Selection } from './selection.ts';
import { showSteps } from './steps.ts';

/** The page's script: reads the plan that is embedded in the page, and shows it. It asks the network for nothing. */
const plan = new ShownPlan(JSON.parse(found('plan').textContent ?? '') as PageDocument);
const selection = new Selection(plan);
showSteps(plan, selection);
showDetail(plan, selection);
showSearch(plan, selection);
const graph = new Graph(plan, selection);
walkByKeys(plan, selection, graph);

const show = (mode: Mode): void => {
  graph.show(mode);
  for (const button of document.querySelectorAll<HTMLElement>('[data-mode]'))
    button.setAttribute('aria-pressed', String(button.dataset.mode === mode));
};
const acts: Readonly<Record<string, () => void>> = {
  larger: () => graph.view.zoom(1.25),
  smaller: () => graph.view.zoom(0.8),
  whole: () => graph.whole(),
  tables: () => show('tables'),
  columns: () => show('columns'),
};
const act = (name: string): void => acts[name]?.();

for (const button of document.querySelectorAll<HTMLElement>('[data-act]'))
  button.addEventListener('click', () => act(button.dataset.act ?? ''));
for (const button of document.querySelectorAll<HTMLElement>('[data-mode]'))
  button.addEventListener('click', () => act(button.dataset.mode ?? ''));
for (const button of document.querySelectorAll<HTMLElement>('[data-filter]'))
  button.addEventListener('click', () => {
    const hidden = button.getAttribute('aria-pressed') === 'true';
    button.setAttribute('aria-pressed', String(!hidden));
    document.body.classList.toggle(`without-${button.dataset.filter}`, hidden);
  });

const KEYS: Readonly<Record<string, string>> = {
  '+': 'larger',
  '=': 'larger',
  '-': 'smaller',
  '0': 'whole',
  t: 'tables',
  c: 'columns',
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === found('search')) return;
  if (event.key === '/') found('search').focus();
  else if (event.key === 'Escape') selection.clear();
  else if (KEYS[event.key] !== undefined) act(KEYS[event.key]!);
  else return;
  event.preventDefault();
});

show(graph.mode);
selection.fromAddress();
document.body.classList.add('ready');
