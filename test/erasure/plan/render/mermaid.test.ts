import { expect, test } from 'vitest';
import { planMermaid } from '../../../../src/erasure/plan/index.ts';
import type { JobRun } from '../../../support/openlineage.ts';
import { companyPlan, hostilePlan, platformPlan } from './plans.ts';

/** Every line that a diagram may consist of: nothing that a name says can be another. */
const TEXT = String.raw`(?:[\p{L}\p{N} .,:;_/()-]|#\d+;)*`;
const LINES = [
  String.raw`%% [^\p{Cc}{}]*`,
  'flowchart LR',
  String.raw`  t\d+\["<b>${TEXT}</b><br/>${TEXT}"\]:::\w+`,
  String.raw`  t\d+ (?:==>|-->|-\.->|--x)(?:\|"${TEXT}"\|)? t\d+`,
  String.raw`  classDef \w+ [\w#:,. -]+`,
  String.raw`  subgraph t\d+\["<b>${TEXT}</b> \w+"\]`,
  String.raw`    (?:c\d+|t\d+k\d+)\(\["${TEXT}"\]\)`,
  String.raw`    t\d+x\d+\["${TEXT}: cleared"\]`,
  '  end',
  String.raw`  style t\d+ [\w#:,. -]+`,
  String.raw`  c\d+ ==> c\d+`,
].map((line) => new RegExp(`^${line}$`, 'u'));

function stray(mermaid: string): readonly string[] {
  return mermaid
    .trimEnd()
    .split('\n')
    .filter((line) => !LINES.some((known) => known.test(line)));
}

test('L9: Mermaid has a node for each table, and an edge for each passage, named by its key or join', async () => {
  const { plan, lineage } = await platformPlan();
  const lines = planMermaid(plan, lineage).split('\n');
  expect(lines[0]).toBe('flowchart LR');
  const nodes = new Map(
    lines.flatMap((line) =>
      [...line.matchAll(/^ {2}(t\d+)\["<b>(.*?)<\/b>/g)].map((match) => [match[1]!, match[2]!]),
    ),
  );
  expect(nodes.size).toBe(10);
  const edges = lines.flatMap((line) => {
    const match = /^ {2}(t\d+) (\S+?)(?:\|"(.*)"\|)? (t\d+)$/.exec(line);
    return match === null
      ? []
      : [`${nodes.get(match[1]!)} ${match[2]} ${nodes.get(match[4]!)}: ${match[3] ?? ''}`];
  });
  // What the four pipelines of the platform do, by their own SQL.
  expect(edges.sort()).toEqual(
    [
      'crm.learners ==> analytics.learner_activity: key learner_id',
      'crm.learners ==> marketing.audience: key learner_id',
      'crm.learners -.-> ai.review_corpus: join on learner_id, filter',
      'learning.reviews ==> ai.review_corpus: key review_id',
      'learning.enrollments --> analytics.learner_activity: join on learner_id',
      'learning.events --> analytics.learner_activity: join on learner_id',
      'learning.enrollments --> marketing.audience: join on learner_id',
      'learning.enrollments --> analytics.course_performance: ',
      'learning.events --> analytics.course_performance: ',
      'learning.reviews --> analytics.course_performance: ',
    ].sort(),
  );
});

test('L9: Mermaid draws the keys and the cleared columns where they are asked for', async () => {
  const { plan, lineage } = await platformPlan();
  const text = planMermaid(plan, lineage, { columns: true });
  expect(stray(text)).toEqual([]);
  expect(text.match(/ {2}subgraph /g)).toHaveLength(9);
  expect(text).toContain('["card_number: cleared"]');
  expect(text.match(/^ {2}c\d+ ==> c\d+$/gm)).toHaveLength(3);
});

test('L9: a diagram of a plan that is not whole says so on its first line', async () => {
  const run: JobRun = { job: 'j', output: 'mart.t', columns: { h: [['crm.learners.learner_id', 'HASH']] } };
  const { plan, lineage } = await platformPlan([run], { 'mart.t': 'h:string', 'mart.loose': 'x' });
  expect(planMermaid(plan, lineage).split('\n')[0]).toBe(
    '%% Not ready: 1 of 11 tables needs a decision; 1 table or job is accounted for by nobody',
  );
});

test.each([false, true])('L9: names never leave their label (columns: %s)', async (columns) => {
  const { plan, lineage } = await hostilePlan();
  expect(stray(planMermaid(plan, lineage, { columns }))).toEqual([]);
});

test('L9: tables that data only passes through are drawn, dashed', async () => {
  const runs: readonly JobRun[] = [
    { job: 'a', output: 'tmp.view', columns: { who: ['crm.learners.learner_id'] } },
    { job: 'b', output: 'mart.copy', columns: { who: ['tmp.view.who'] } },
  ];
  const { plan, lineage } = await platformPlan(runs, { 'mart.copy': 'who' });
  const text = planMermaid(plan, lineage);
  const passage = /(t\d+)\["<b>[^"]*tmp\.view<\/b><br\/>passed through"\]:::passage/.exec(text)![1]!;
  expect(text).toMatch(new RegExp(`${passage} ==>\\|"key who"\\| t\\d+`));
  expect(text).toMatch(new RegExp(`t\\d+ ==>\\|"key learner_id as who"\\| ${passage}\\n`));
});

test('L9: a diagram stays within what a pull request draws', async () => {
  for (const size of [40, 600]) {
    const { plan, lineage } = await companyPlan(size);
    for (const columns of [false, true]) {
      const text = planMermaid(plan, lineage, { columns });
      expect(text.length).toBeLessThanOrEqual(50_000);
      expect(text.match(/^ {2}\w+ (==>|-->|-\.->|--x)/gm)?.length ?? 0).toBeLessThanOrEqual(500);
      expect(stray(text).filter((line) => !/too many for a diagram/.test(line))).toEqual([]);
      if (size === 40) expect(text).toContain(columns ? '["person_id"]' : 'key person_id');
    }
  }
});
