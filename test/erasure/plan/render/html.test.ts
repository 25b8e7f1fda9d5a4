import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { planHtml } from '../../../../src/erasure/plan/index.ts';
import type { PageDocument } from '../../../../src/erasure/plan/render/page/document.ts';
import type { JobRun } from '../../../support/openlineage.ts';
import { companyPlan, HOSTILE, hostilePlan, platformPlan } from './plans.ts';

/** What a browser would find in the page: by HTML's own rule, a script ends at the first `</script`. */
function scripts(page: string): readonly { readonly attributes: string; readonly text: string }[] {
  return [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script/gi)].map((match) => {
    return { attributes: match[1]!, text: match[2]! };
  });
}

function documentOf(page: string): PageDocument {
  return JSON.parse(scripts(page).find(({ attributes }) => attributes.includes('id="plan"'))!.text);
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('L9: the page runs one script, by its hash, and loads nothing', async () => {
  const { plan, lineage } = await platformPlan();
  const page = planHtml(plan, lineage);
  const [data, script, ...others] = scripts(page);
  expect(others).toEqual([]);
  expect(data!.attributes).toBe(' type="application/json" id="plan"');
  expect(script!.attributes).toBe('');
  const style = /<style>([\s\S]*?)<\/style/.exec(page)![1]!;
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src ${hash(script!.text)}`,
    `style-src ${hash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(page.replace(script!.text, '')).not.toMatch(/\s(src|href|action)=|url\((?!#)|@import/);
  const markup = /innerHTML|outerHTML|insertAdjacent|document\.write\(|\beval\(|new Function|\bfetch\(/;
  expect(script!.text.match(markup)).toBeNull();
});

test('L9: no name ends the data, the script or an attribute', async () => {
  const { plan, lineage } = await hostilePlan();
  const page = planHtml(plan, lineage);
  expect(scripts(page)).toHaveLength(2);
  const data = scripts(page)[0]!.text;
  expect(data).not.toMatch(/[<>&\u2028\u2029\u202e\u200f]/u);
  expect(data.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  const names = documentOf(page).tables.map(({ name }) => name);
  expect(names).toContain(`mart.${HOSTILE[1]}`);
  expect(names).toContain('mart.\\u{1b}[2J\\u{202e}gnp.exe');
  const markup = page.replace(data, '').replace(scripts(page)[1]!.text, '');
  expect(markup).not.toContain('harm');
});

test('L9: a page of a plan that is not whole says so at its head', async () => {
  const run: JobRun = { job: 'j', output: 'mart.t', columns: { h: [['crm.learners.learner_id', 'HASH']] } };
  const { plan, lineage } = await platformPlan([run], { 'mart.t': 'h:string', 'mart.loose': 'x' });
  expect(planHtml(plan, lineage)).toContain(
    'role="alert">Not ready: 1 of 11 tables needs a decision; 1 table or job is accounted for by nobody</p>',
  );
});

test('L9: the page holds every step and every edge that leads to one, with what recorded it', async () => {
  const { plan, lineage } = await platformPlan();
  const shown = documentOf(planHtml(plan, lineage));
  expect(shown.steps.map(({ table }) => shown.tables[table]!.name)).toEqual(
    plan.steps.map(({ table }) => table),
  );
  const drawn = new Set(plan.steps.map(({ table }) => table));
  const ref = (at: number): string =>
    `${shown.tables[shown.columns[at]!.table]!.name}.${shown.columns[at]!.name}`;
  const roles = (mask: number): string => shown.roles.filter((_, bit) => (mask & (1 << bit)) !== 0).join();
  const edges = shown.edges.map(
    ([from, to, mask, write]) => `${ref(from)} ${ref(to)} ${roles(mask)} ${shown.writes[write]!.job}`,
  );
  const expected = lineage.edges
    .filter(({ to }) => drawn.has(to.table))
    .map(
      ({ from, to, roles: named, job }) =>
        `${from.table}.${from.column} ${to.table}.${to.column} ${named.join()} ${job}`,
    );
  expect(edges.sort()).toEqual(expected.sort());
  expect(shown.writes[0]).toEqual({
    job: expect.stringMatching(/^test /),
    run: expect.stringMatching(/-0$/),
    at: '2026-09-01 00:01:00',
  });
});

test('L9: the same plan gives the same page', async () => {
  const pages = await Promise.all([companyPlan(60), companyPlan(60)]);
  const [first, second] = pages.map(({ plan, lineage }) => planHtml(plan, lineage));
  expect(second === first).toBe(true);
});

test('L9: cards stand apart, in their picture, at 300 tables', async () => {
  const { plan, lineage } = await companyPlan(300);
  const { pictures, passages, tables } = documentOf(planHtml(plan, lineage));
  for (const { boxes, lines, width, height } of Object.values(pictures)) {
    expect(boxes).toHaveLength(tables.filter(({ drawn }) => drawn).length);
    expect(lines).toHaveLength(passages.length);
    for (const [at, [x, y, wide, tall]] of boxes.entries()) {
      expect(x >= 0 && y >= 0 && x + wide <= width && y + tall <= height).toBe(true);
      for (const other of boxes.slice(at + 1)) {
        const apart =
          x + wide <= other[0] ||
          other[0] + other[2] <= x ||
          y + tall <= other[1] ||
          other[1] + other[3] <= y;
        if (!apart) expect.fail(`${[x, y, wide, tall]} lies over ${other}`);
      }
    }
    // What feeds a table stands to its left: nothing in this company goes round.
    for (const { from, to } of passages) expect(boxes[from]![0]).toBeLessThan(boxes[to]![0]);
  }
});
