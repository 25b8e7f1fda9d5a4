import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  explain,
  isSamePlan,
  type Plan,
  planDiff,
  planErasure,
  planHtml,
  planMermaid,
  planText,
} from '../../../src/erasure/plan/index.ts';
import { loadGovernance } from '../../../src/governance/index.ts';
import { type Lineage, readLineage } from '../../../src/lineage/index.ts';
import { type JobRun, runEvents } from '../../support/openlineage.ts';
import { platformEvents, platformTables } from './platform.ts';
import { tablesOf } from './support.ts';

const governance = await loadGovernance(join(import.meta.dirname, '../../../governance'));

async function platform(
  more: readonly JobRun[] = [],
  tables = {},
): Promise<{ plan: Plan; lineage: Lineage }> {
  const events = [...platformEvents(), ...more.flatMap(runEvents)];
  const all = [...platformTables, ...tablesOf(tables)];
  const names = all.map(({ table }) => table);
  const lineage = await readLineage({ from: [events], names: governance.names, tables: names });
  return { plan: planErasure({ governance, lineage, tables: all, subject: 'learner' }), lineage };
}

/** Names that would do harm if they became markup, SQL or a command to a terminal. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; DROP TABLE x; --",
  '\u001b[2J\u202e',
  '"]; click t0 href "javascript:alert(1)"',
  '%%{init: {}}%%\nflowchart TB',
];
const hostileRuns: readonly JobRun[] = HOSTILE.map((name) => ({
  job: `job ${name}`,
  output: `mart.${name}`,
  columns: { [name]: [['crm.learners.learner_id', 'TRANSFORMATION']] },
}));
const hostileTables = Object.fromEntries(HOSTILE.map((name) => [`mart.${name}`, 'x:string']));

test('L9: a plan prints as text that fits 100 columns', async () => {
  const { plan } = await platform();
  const text = planText(plan);
  for (const { table } of plan.steps) expect(text).toContain(`\n${table}: `);
  expect(text.split('\n').filter((line) => [...line].length > 100)).toEqual([]);
  expect(text).toMatch(/^Erasure of a learner: 10 tables/);
});

test('L9: a plan that is not whole says so on its first line, in every form', async () => {
  const run: JobRun = { job: 'j', output: 'mart.t', columns: { h: [['crm.learners.learner_id', 'HASH']] } };
  const { plan, lineage } = await platform([run], { 'mart.t': 'h:string', 'mart.loose': 'x' });
  const open = 'Not ready: 1 of 11 tables need a decision; 1 tables or jobs are accounted for by nobody';
  expect(planText(plan).split('\n')[0]).toBe(open);
  expect(planMermaid(plan, lineage).split('\n')[0]).toBe(`%% ${open}`);
  expect(planHtml(plan, lineage)).toContain(`role="alert">${open}</p>`);
});

test('L9: a plan is JSON in and out', async () => {
  const { plan } = await platform();
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
});

test('L9: Mermaid has one node for each table and one edge for each passage', async () => {
  const { plan, lineage } = await platform();
  const lines = planMermaid(plan, lineage).split('\n');
  expect(lines[0]).toBe('flowchart LR');
  expect(lines.filter((line) => /^ {2}t\d+\["/.test(line))).toHaveLength(10);
  // What the four pipelines read of the tables in the plan.
  expect(lines.filter((line) => /^ {2}t\d+ --> t\d+$/.test(line))).toHaveLength(3 + 3 + 2 + 2);
  expect(lines).toContain(
    '  t7["<b>analytics.course_performance</b><br/>run course_performance again"]:::rebuild',
  );
});

test('L9: text from events becomes neither markup nor a command, in any form', async () => {
  const { plan, lineage } = await platform(hostileRuns, hostileTables);
  expect(plan.steps).toHaveLength(10 + HOSTILE.length);
  const html = planHtml(plan, lineage);
  const tags = [...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map((match) => match[1]!);
  expect(new Set(tags)).not.toContain('script');
  expect(new Set(tags)).not.toContain('img');
  // Quotes of names never end an attribute: every tag is one that the page itself writes.
  for (const tag of html.match(/<[^>]*>/g) ?? []) expect(tag).not.toMatch(/onerror|javascript:/i);
  expect(html).toContain('&#60;script&#62;');
  const mermaid = planMermaid(plan, lineage);
  for (const line of mermaid.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(%% Not ready: .*|flowchart LR| {2}t\d+\["[^"<>\]]*(<b>[^"<>]*<\/b>)?(<br\/>[^"<>]*)?"\]:::\w+| {2}t\d+ --> t\d+| {2}classDef \w+ [\w#:,. -]+)$/,
    );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  expect(planText(plan)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test('L9: the page draws the graph, loads nothing and runs nothing', async () => {
  const { plan, lineage } = await platform();
  const html = planHtml(plan, lineage);
  expect(html).toContain("default-src 'none'");
  expect(html).not.toMatch(/\b(src|href)="(?!#)/);
  expect(html.match(/<g class="table /g)).toHaveLength(10);
  expect(html.match(/<path class="edge"/g)).toHaveLength(10);
  const boxes = [...html.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="(\d+)" height="(\d+)"/g)].map(
    (match) => match.slice(1).map(Number),
  );
  for (const [at, [x, y, width, height]] of boxes.entries())
    for (const [x2, y2] of boxes.slice(at + 1))
      expect(Math.abs(x! - x2!) >= width! || Math.abs(y! - y2!) >= height!).toBe(true);
});

test('L5h: a step is explained edge by edge, with the job, the run and the time', async () => {
  const { plan, lineage } = await platform();
  const explanation = explain(plan, lineage, 'ai.review_corpus')!;
  expect(explanation.step.action).toBe('delete');
  expect(explanation.paths.map((path) => path.map(({ from, to }) => `${from} -> ${to}`))).toEqual([
    ['crm.learners.learner_id -> ai.review_corpus.*'],
    ['learning.reviews.review_id -> ai.review_corpus.review_id'],
  ]);
  expect(explanation.paths[1]![0]).toMatchObject({
    roles: ['identity'],
    job: 'test review_corpus',
    run: 'review_corpus-0',
    at: '2026-09-01T00:01:00.000000Z',
  });
  expect(explain(plan, lineage, 'no.table')).toBeNull();
});

test('two plans differ by what a new pipeline adds', async () => {
  const { plan: before } = await platform();
  const run: JobRun = {
    job: 'exports',
    output: 'mart.export',
    columns: { who: ['marketing.audience.learner_id'], mail: ['marketing.audience.email'] },
  };
  const { plan: after } = await platform([run], { 'mart.export': 'who mail:string', 'mart.loose': 'x' });
  const diff = planDiff(before, after);
  expect(diff.added.map(({ table, action }) => `${action} ${table}`)).toEqual(['delete mart.export']);
  expect([diff.removed, diff.changed]).toEqual([[], []]);
  expect(diff.gaps).toEqual({ opened: ['mart.loose'], closed: [] });
  expect(isSamePlan(planDiff(before, before))).toBe(true);
  const back = planDiff(after, before);
  expect(back.removed.map(({ table }) => table)).toEqual(['mart.export']);
  expect(back.gaps.closed).toEqual(['mart.loose']);
});
