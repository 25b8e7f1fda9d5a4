import type { Lineage } from '../../../lineage/index.ts';
import type { Plan, Step } from '../plan.ts';
import { escapeHtml } from './escape-html.ts';
import { type Box, type Layout, layOut } from './layout.ts';
import { actionCounts, openQuestions, stepText } from './step-text.ts';
import { STYLE } from './style.ts';
import { type TableGraph, tableGraph } from './table-graph.ts';

/**
 * A plan as one self-contained HTML page (rule L9): the graph drawn with what is done to each table, and every step with its
 * reason below. It loads nothing, runs nothing, and holds no value of a person.
 */
export function planHtml(plan: Plan, lineage: Lineage): string {
  const graph = tableGraph(plan, lineage);
  const open = openQuestions(plan);
  const title = `Erasure of a ${plan.subject}`;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<header>',
    open.length === 0 ? '' : `<p class="open" role="alert">Not ready: ${escapeHtml(open.join('; '))}</p>`,
    `<h1>${escapeHtml(title)}</h1>`,
    `<p class="digest">plan <code>${escapeHtml(plan.digest.slice(0, 16))}</code></p>`,
    legend(plan),
    '</header>',
    '<main>',
    drawing(plan, graph, layOut(graph)),
    '<section aria-label="Steps"><h2>Steps, in the order in which they are done</h2><ol>',
    ...plan.steps.map(stepItem),
    '</ol></section>',
    list(
      'Datasets that map to no table',
      plan.unmapped.map(({ namespace, name }) => `${namespace} ${name}`),
    ),
    list(
      'Accounted for by nobody',
      plan.unaccounted.map(({ name, why }) => `${name}: ${why}`),
    ),
    list(
      'Remarks',
      plan.findings.map(({ table, what }) => (table === null ? what : `${table}: ${what}`)),
    ),
    '</main>',
    '</body>',
    '</html>',
    '',
  ]
    .filter((line, at, all) => line !== '' || at === all.length - 1)
    .join('\n');
}

function legend(plan: Plan): string {
  const items = actionCounts(plan).map(
    ([action, count]) => `<li class="${action}"><span class="dot"></span>${action} <b>${count}</b></li>`,
  );
  return `<ul class="legend" aria-label="What is done">${items.join('')}</ul>`;
}

function drawing(plan: Plan, { nodes, edges }: TableGraph, { width, height, boxes }: Layout): string {
  const lines = edges.map(({ from, to, jobs }) => {
    const path = curve(boxes[from]!, boxes[to]!);
    return `<path class="edge" marker-end="url(#tip)" d="${path}"><title>${escapeHtml(jobs.join(', '))}</title></path>`;
  });
  const tables = nodes.map(({ table, step }, at) => {
    const done = step < 0 ? undefined : plan.steps[step];
    return tableBox(table, done, step, boxes[at]!);
  });
  return [
    `<figure><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Tables and the passages between them">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0 L8 4 L0 8 z"/></marker></defs>',
    ...lines,
    ...tables,
    '</svg></figure>',
  ].join('\n');
}

function tableBox(table: string, step: Step | undefined, place: number, box: Box): string {
  const { x, y, width, height } = box;
  const words = step === undefined ? 'passed through' : stepText(step);
  const inside = [
    `<title>${escapeHtml(`${table}: ${step?.why ?? words}`)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="7"/>`,
    `<text class="name" x="${x + 12}" y="${y + 22}">${escapeHtml(shortened(table, 32))}</text>`,
    `<text class="done" x="${x + 12}" y="${y + 41}">${escapeHtml(shortened(words, 38))}</text>`,
  ].join('');
  const group = `<g class="table ${step?.action ?? 'passage'}">${inside}</g>`;
  return step === undefined ? group : `<a href="#step-${place}">${group}</a>`;
}

function stepItem(step: Step, place: number): string {
  const reason =
    step.reason === null ? '' : ` <q>${escapeHtml(step.reason)}</q> ${escapeHtml(step.decidedBy ?? '')}`;
  const causes = step.causes.map(
    ({ code, what }) => `<li><code>${escapeHtml(code)}</code> ${escapeHtml(what)}</li>`,
  );
  const probes = step.probe.map(
    ({ asks, sql }) => `<li>${escapeHtml(asks)}<pre>${escapeHtml(sql)}</pre></li>`,
  );
  return [
    `<li id="step-${place}" class="${step.action}"><h3>${escapeHtml(step.table)}</h3>`,
    `<p><span class="dot"></span>${escapeHtml(stepText(step))}${reason}</p>`,
    `<p class="why">${escapeHtml(step.why)}</p>`,
    causes.length === 0 ? '' : `<ul>${causes.join('')}</ul>`,
    probes.length === 0
      ? ''
      : `<details><summary>Ask the data</summary><ul>${probes.join('')}</ul></details>`,
    '</li>',
  ].join('');
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  return `<section><h2>${escapeHtml(title)}</h2><ul>${items}</ul></section>`;
}

/** A line from the right side of one box to the left side of another; back and around where that lies behind. */
function curve(from: Box, to: Box): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x - 2, to.y + to.height / 2];
  const bend = Math.max(40, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** A text that is too long for its place keeps its end, where names differ. */
function shortened(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const head = Math.ceil((length - 1) / 3);
  return `${characters.slice(0, head).join('')}…${characters.slice(head + 1 - length).join('')}`;
}
