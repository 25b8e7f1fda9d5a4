import type { Lineage } from '../../../lineage/index.ts';
import { counted } from '../../../values/counted.ts';
import type { Plan } from '../plan.ts';
import { escapeHtml } from './escape-html.ts';
import { embeddedJson, policyHash } from './page/embed.ts';
import { pageDocument } from './page/page-document.ts';
import { SCRIPT } from './page/script.ts';
import { STYLE } from './page/style.ts';
import { actionCounts, MARKS, openQuestions } from './step-text.ts';
import { visible } from './visible.ts';

/**
 * A plan as one self-contained HTML page (rule L9): the graph of tables and columns with what is done to each and why, its
 * steps in order beside it, and for each column the way its values came, edge by edge. It asks the network for nothing, holds
 * no value of a person, and its policy lets no script run but its own; text of events is embedded as data and added as text.
 * The same plan and lineage give the same page.
 */
export function planHtml(plan: Plan, lineage: Lineage): string {
  const title = `Erasure of a ${visible(plan.subject)}`;
  const open = openQuestions(plan);
  const policy = [
    "default-src 'none'",
    `script-src ${policyHash(SCRIPT)}`,
    `style-src ${policyHash(STYLE)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const alert =
    open.length === 0 ? '' : `<p class="open" role="alert">Not ready: ${escapeHtml(open.join('; '))}</p>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header class="bar-top">
<div><h1>${escapeHtml(title)}</h1><p class="digest">${counted(plan.steps.length, 'table')}, plan <code>${escapeHtml(plan.digest.slice(0, 12))}</code></p></div>
<div class="legend" role="group" aria-label="Show or hide by action">${legend(plan)}</div>
${SEARCH}
</header>
${alert}<main>
<nav aria-label="Steps"><h2>Steps, in order</h2><ol id="steps"></ol><div id="notes"></div></nav>
${STAGE}
<aside id="detail" tabindex="-1" aria-label="What is selected" aria-live="polite" hidden></aside>
</main>
<noscript>This page draws the plan with a script. \`lethe plan\` prints the same as text.</noscript>
<script type="application/json" id="plan">
${embeddedJson({ ...pageDocument(plan, lineage) })}
</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function legend(plan: Plan): string {
  const items = actionCounts(plan).map(
    ([action, count]) =>
      `<button type="button" class="${action}" data-filter="${action}" aria-pressed="true"><i aria-hidden="true">${MARKS[action]}</i>${action} <b>${count}</b></button>`,
  );
  return items.join('');
}

const SEARCH = `<div class="search" role="search">
<input id="search" type="search" role="combobox" aria-label="Search tables and columns" aria-controls="results" aria-expanded="false" aria-autocomplete="list" placeholder="Search tables and columns" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<ul id="results" role="listbox" aria-label="Found" hidden></ul><p id="found" class="unseen" role="status"></p>
</div>`;

const line = (kind: string): string =>
  `<svg aria-hidden="true" class="passage ${kind}" viewBox="0 0 26 6"><path class="line" d="M0 3H26"/></svg>`;

const STAGE = `<section id="stage" aria-label="Tables and what passes between them">
<svg id="graph" role="group" aria-label="Graph: arrow keys move, Enter chooses"><defs>
<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker>
<marker id="lit-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path class="lit-tip" d="M0 0L8 4L0 8z"/></marker>
</defs><g id="world"></g></svg>
<div class="foot" id="foot">
<div class="tools">
<div class="group" role="group" aria-label="Detail"><button type="button" data-mode="tables" title="Tables only (t)">Tables</button><button type="button" data-mode="columns" title="Tables with their columns (c)">Columns</button></div>
<div class="group" role="group" aria-label="Size"><button type="button" data-act="smaller" aria-label="Smaller (-)" title="Smaller (-)">−</button><button type="button" data-act="whole" title="All of it (0)">Fit</button><button type="button" data-act="larger" aria-label="Larger (+)" title="Larger (+)">+</button></div>
</div>
<ul class="lines" aria-label="Lines"><li>${line('key')}copies a key</li><li>${line('values')}carries values</li><li>${line('shape')}only shapes the rows</li><li>${line('unknown')}may be anything</li></ul>
</div>
</section>`;
