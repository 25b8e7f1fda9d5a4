import { paletteCss } from './palette.ts';

const PAGE = `
* { box-sizing: border-box; }
html, body { height: 100%; }
body { margin: 0; display: grid; grid-template-rows: auto auto 1fr; background: var(--ground); color: var(--text);
  font: 14px/1.45 -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif; }
button, input { font: inherit; color: inherit; }
button { cursor: pointer; background: none; border: 0; padding: 0; text-align: start; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
h1, h2, h3, p, ol, ul { margin: 0; padding: 0; }
ol, ul { list-style: none; }
[hidden] { display: none !important; }
bdi { overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: 12px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;

/** Each action's tone and its ground, for whatever carries its class. */
const TONES = ['delete', 'rebuild', 'keep', 'clear', 'review', 'ignore']
  .map((action) => `.${action} { --tone: var(--${action}); --tone-ground: var(--${action}-ground); }`)
  .join('\n')
  .concat('\n.passage, .outside { --tone: var(--faint); --tone-ground: var(--ground); }');

const BAR = `
.bar-top { grid-row: 1; display: flex; flex-wrap: wrap; align-items: center; gap: 10px 28px; padding: 12px 20px; background: var(--paper);
  border-bottom: 1px solid var(--line); }
h1 { font-size: 18px; font-weight: 650; letter-spacing: -.01em; line-height: 1.25; }
.digest { color: var(--faint); font-size: 12.5px; }
.legend { display: flex; flex-wrap: wrap; gap: 6px; }
.legend button { display: flex; align-items: center; gap: 7px; padding: 4px 11px 4px 9px; border-radius: 99px; background: var(--tone-ground);
  color: var(--tone); font-weight: 600; font-size: 13px; border: 1px solid transparent; }
.legend button i { font-style: normal; width: 1em; text-align: center; }
.legend button b { font-weight: 700; font-variant-numeric: tabular-nums; }
.legend button:hover { border-color: var(--tone); }
.legend button[aria-pressed="false"] { background: none; border: 1px dashed var(--faint); color: var(--faint); text-decoration: line-through; }
.search { position: relative; margin-inline-start: auto; width: min(340px, 100%); }
.search input { width: 100%; padding: 7px 34px 7px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); }
.search input::placeholder { color: var(--faint); opacity: 1; }
.search input::-webkit-search-cancel-button { display: none; }
.search kbd { position: absolute; inset-inline-end: 8px; top: 7px; padding: 0 7px; border: 1px solid var(--line); border-radius: 5px;
  color: var(--faint); font: inherit; font-size: 12px; background: var(--paper); pointer-events: none; }
#results { position: absolute; z-index: 5; top: calc(100% + 6px); inset-inline: 0; max-height: 60vh; overflow-y: auto; padding: 5px;
  background: var(--paper); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 10px 30px rgb(0 0 0 / .18); }
#results li { padding: 6px 9px; border-radius: 6px; border-inline-start: 3px solid var(--tone, transparent); margin-bottom: 1px; cursor: pointer; }
#results li[aria-selected="true"] { background: var(--glow); }
#results .none { color: var(--faint); cursor: default; }
.of { color: var(--faint); }
.open { grid-row: 2; padding: 9px 20px; background: var(--review-ground); color: var(--review); font-weight: 600; border-bottom: 1px solid var(--line); }
`;

const LISTS = `
main { grid-row: 3; min-height: 0; display: grid; grid-template-columns: 330px minmax(0, 1fr) auto; }
nav, #detail { overflow-y: auto; background: var(--paper); min-height: 0; }
nav { border-inline-end: 1px solid var(--line); padding: 14px 12px 24px; }
nav h2 { font-size: 12.5px; font-weight: 600; color: var(--faint); padding: 0 8px 6px; }
#notes h2 { margin-top: 18px; } #notes li { padding: 3px 8px; font-size: 13px; }
#steps { counter-reset: step; }
#steps li { counter-increment: step; }
.step { position: relative; display: block; width: 100%; padding: 7px 8px 8px 38px; border-radius: 8px; }
.step::before { content: counter(step); position: absolute; inset-inline-start: 8px; top: 8px; width: 20px; text-align: end; color: var(--faint);
  font-size: 12px; font-variant-numeric: tabular-nums; }
.step:hover { background: var(--ground); }
.step[aria-current] { background: var(--glow); }
.step .name { display: block; font-weight: 600; }
.does { display: block; margin-top: 2px; color: var(--faint); font-size: 13px; }
.chip { display: inline-block; padding: 0 7px; border-radius: 5px; background: var(--tone-ground); color: var(--tone); font-size: 12px; font-weight: 650; line-height: 18px; }
#detail { position: relative; width: 400px; border-inline-start: 1px solid var(--line); padding: 18px 20px 32px; }
#detail:focus { outline: none; }
#detail h2 { font-size: 17px; font-weight: 650; padding-inline-end: 36px; letter-spacing: -.01em; }
#detail h3 { font-size: 12.5px; font-weight: 600; color: var(--faint); margin: 20px 0 7px; }
#detail p.of { margin-bottom: 2px; padding-inline-end: 36px; }
#detail > ul:not([class*=columns]) > li { margin-bottom: 8px; }
#detail li > code { padding: 1px 6px; border-radius: 5px; background: var(--review-ground); color: var(--review); font-weight: 600; }
.close { position: absolute; top: 12px; inset-inline-end: 14px; width: 30px; height: 30px; border-radius: 8px; font-size: 20px; line-height: 1; text-align: center; color: var(--faint); }
.close:hover { background: var(--ground); color: var(--text); }
.link { color: var(--accent); } .link:hover { text-decoration: underline; }
.none { color: var(--faint); }
blockquote { margin: 10px 0 0; padding: 2px 0 2px 12px; border-inline-start: 3px solid var(--line); } blockquote footer { color: var(--faint); font-size: 13px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--ground); border: 1px solid var(--line); padding: 9px 11px; border-radius: 8px; margin: 6px 0 0; }
.columns { display: grid; gap: 1px; }
.column { display: flex; justify-content: space-between; gap: 10px; width: 100%; padding: 4px 9px; border-radius: 6px; }
.column:hover, .end:hover { background: var(--ground); }
.hint { color: var(--faint); font-size: 12px; white-space: nowrap; margin-inline-start: 6px; }
.column.key .name { font-weight: 600; } .column.clear .name { text-decoration: line-through; }
`;

const PATHS = `
.path { position: relative; padding: 8px 0 8px 2px; border: 1px solid var(--line); border-radius: 10px; margin-bottom: 8px; }
.stop { position: relative; padding: 0 10px 0 26px; }
.stop::before { content: ""; position: absolute; inset-inline-start: 13px; bottom: 9px; width: 9px; height: 9px; border-radius: 50%; background: var(--paper);
  border: 2px solid var(--accent); z-index: 1; }
.stop + .stop::after { content: ""; position: absolute; inset-inline-start: 16.5px; top: -8px; bottom: 18px; width: 2px; background: var(--accent); }
.stop:last-child::before { background: var(--accent); }
.end { display: inline-block; padding: 2px 6px; border-radius: 6px; max-width: 100%; }
.end .name { font-weight: 600; }
.recorded { padding: 3px 6px 5px; font-size: 12.5px; color: var(--faint); display: grid; gap: 3px; }
.roles { display: flex; flex-wrap: wrap; gap: 4px; }
.role { padding: 0 7px; border-radius: 5px; background: var(--glow); color: var(--accent); font-weight: 600; font-size: 12px; line-height: 18px; }
.job .name { color: var(--text); }
.edge { padding: 5px 4px 3px; border-top: 1px solid var(--line); } .edge:first-child { border-top: 0; }
`;

const GRAPH = `
#stage { position: relative; min-width: 0; overflow: hidden; }
#graph { display: block; width: 100%; height: 100%; position: absolute; inset: 0; touch-action: none; cursor: grab; user-select: none; }
#graph.dragged, #graph.dragged * { cursor: grabbing; }
#graph text { fill: var(--text); font-size: 13px; unicode-bidi: isolate; }
.card .frame { fill: var(--paper); stroke: var(--line); }
.face > .frame { filter: drop-shadow(0 1px 2px rgb(0 0 0 / .08)); }
.card .bar { fill: var(--tone); }
.face, .row { cursor: pointer; outline: none; }
.face:hover > .frame { stroke: var(--tone); }
.card.passage .frame { stroke-dasharray: 4 3; }
#graph .title { font-weight: 650; } #graph .schema { fill: var(--faint); font-weight: 400; }
#graph .does { fill: var(--tone); font-size: 12px; } #graph .mark { font-weight: 700; }
#graph .only-far { font-size: 25px; display: none; }
#graph .more { fill: var(--faint); font-size: 12px; }
.rule { stroke: var(--line); }
.row .frame { fill: transparent; stroke: none; } .row:hover .frame { fill: var(--ground); }
#graph .row text { font-size: 12.5px; } #graph .row.key text { font-weight: 600; } #graph .row.clear text { text-decoration: line-through; }
.row .sign { fill: var(--tone); }
.row.lit .frame { fill: var(--glow); } .row.chosen .frame { fill: var(--accent); }
#graph .row.chosen text { fill: var(--paper); } .row.chosen .sign { fill: var(--paper); }
.card.chosen .face > .frame { stroke: var(--accent); stroke-width: 2.5; }
.face:focus-visible > .frame, .row:focus-visible > .frame { stroke: var(--accent); stroke-width: 3; }
.passage path { fill: none; }
.passage .line { stroke: var(--passage); stroke-width: 1.3; } .passage .wide { stroke: transparent; stroke-width: 12; }
.passage.key .line { stroke-width: 2.4; } .passage.shape .line { stroke-dasharray: 2 4; } .passage.unknown .line { stroke: var(--review); stroke-dasharray: 7 4; }
#graph .label { text-anchor: middle; font-size: 11px; fill: var(--faint); paint-order: stroke; stroke: var(--ground); stroke-width: 5px; stroke-linejoin: round; }
.tip { fill: var(--passage); } .lit-tip { fill: var(--accent); }
.passage.lit .line { stroke: var(--accent); }
.looking .card:not(.lit) { opacity: .38; } .looking .passage:not(.lit), .looking .label:not(.lit) { opacity: .22; }
.column-line { fill: none; stroke: var(--accent); stroke-width: 2; pointer-events: none; } .column-line.shape { stroke-width: 1.3; stroke-dasharray: 2 4; }
.far .near { display: none; } #graph.far .only-far { display: block; }
.far .face > .frame { fill: var(--tone-ground); stroke: var(--tone); stroke-width: 2; filter: none; }
.far .passage .line { stroke-width: 2.4; }
.foot { position: absolute; bottom: 12px; inset-inline: 12px; display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: 8px;
  pointer-events: none; } .foot > * { pointer-events: auto; }
.tools { display: flex; flex-wrap: wrap; gap: 8px; }
.group { display: flex; background: var(--paper); border: 1px solid var(--line); border-radius: 9px; overflow: hidden; }
.group button { padding: 5px 11px; min-width: 34px; text-align: center; } .group button:hover { background: var(--ground); }
.group button + button { border-inline-start: 1px solid var(--line); }
.group button[aria-pressed="true"] { background: var(--glow); color: var(--accent); font-weight: 600; }
.group button:focus-visible { outline-offset: -3px; }
.lines { display: flex; flex-wrap: wrap; gap: 4px 14px; padding: 6px 12px; background: var(--paper);
  border: 1px solid var(--line); border-radius: 9px; color: var(--faint); font-size: 12px; }
.lines li { display: flex; align-items: center; gap: 6px; } .lines svg { width: 26px; height: 6px; }
`;

/** A table whose action is switched off in the legend stays in its place, faint. */
const FILTERS = ['delete', 'rebuild', 'keep', 'clear', 'review', 'ignore']
  .map(
    (action) =>
      `.without-${action} .card.${action} { opacity: .12; } .without-${action} .step.${action} { display: none; }`,
  )
  .join('\n');

const NARROW = `
@media (max-width: 900px) { body { height: auto; display: block; } main { display: flex; flex-direction: column; } #stage { height: 70vh; flex: none; } #detail { order: 1; } nav { order: 2; border: 0; } #detail { width: auto; border-block-start: 1px solid var(--line); } .lines { display: none; } }
@media (min-width: 901px) and (max-width: 1250px) { main { grid-template-columns: 270px minmax(0, 1fr) auto; } #detail { width: 330px; } }
@media print { .tools, .search, .close { display: none; } body { display: block; } main { display: block; } nav, #detail { overflow: visible; } #stage { height: 60vh; } }
@media (prefers-reduced-motion: no-preference) { .card, .passage { transition: opacity .15s; } }
@media (forced-colors: active) { .card .frame, .passage .line { stroke: CanvasText; } .chosen .frame, .lit .line { stroke: Highlight; } }
`;

/** The style of the plan's page. */
export const STYLE: string = [paletteCss(), PAGE, TONES, BAR, LISTS, PATHS, GRAPH, FILTERS, NARROW].join(
  '\n',
);
