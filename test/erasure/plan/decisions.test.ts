import { expect, test } from 'vitest';
import { stepText } from '../../../src/erasure/plan/render/step-text.ts';
import type { JobRun } from '../../support/openlineage.ts';
import { DELETE, keyed, PEOPLE, SOURCES, step } from './people.ts';
import { planOf, told } from './support.ts';

const decision = (answers: string, more: string): string => `
[erasure.decisions."mart.t"]
answers = ${answers}
reason = "looked at"
decided_by = "data team"
${more}
`;
const cast: JobRun = {
  job: 'j',
  output: 'mart.t',
  columns: { ref: [['crm.people.person_id', 'TRANSFORMATION']] },
};

test('L5g: a decision answers the causes it names, and any other stays open', async () => {
  const all = '["cast-key", "uncovered-source", "no-rebuild"]';
  const decided = (answers: string, more: string) =>
    step(cast, 'ref:string', { retention: decision(answers, more) });
  expect(await decided(all, 'action = "delete"\nby = ["ref"]')).toBe('delete by ref');
  expect(await decided(all, 'action = "ignore"')).toBe('ignore');
  expect(await decided(all, 'action = "clear"\nby = ["ref"]\ncolumns = ["ref"]')).toBe(
    'clear by ref, clear ref',
  );
  await expect(decided(all, 'action = "delete"')).rejects.toMatchObject({
    code: expect.stringMatching(/no-key|governance/),
  });
  expect(await decided('["cast-key"]', 'action = "delete"\nby = ["ref"]')).toBe(
    'review uncovered-source, no-rebuild',
  );
  const plan = await planOf({
    tables: { ...PEOPLE, 'mart.t': 'ref:string' },
    runs: [cast],
    sources: SOURCES,
    retention: decision(all, 'action = "delete"\nby = ["ref"]'),
  });
  expect(plan.steps.at(-1)).toMatchObject({
    reason: 'looked at',
    decidedBy: 'data team',
    causes: [],
    probe: [],
  });
});

test('L5g: a decision that names a missing column is an error; one that answers nothing is reported', async () => {
  const all = '["cast-key", "uncovered-source", "no-rebuild"]';
  const wrong = step(cast, 'ref:string', { retention: decision(all, 'action = "delete"\nby = ["nope"]') });
  await expect(wrong).rejects.toMatchObject({ code: 'plan/no-such-column', data: { column: 'nope' } });
  const needless = await planOf({
    tables: { ...PEOPLE, 'mart.t': 'k name:string' },
    runs: [keyed],
    sources: SOURCES,
    retention: decision('["cast-key"]', 'action = "delete"\nby = ["k"]'),
  });
  expect(told(needless.steps.at(-1))).toBe(DELETE);
  expect(needless.findings).toMatchObject([{ code: 'needless-decision', table: 'mart.t' }]);
});

test('L5g: several decisions answer several causes; beside a delete one may clear the key of the second person of a row', async () => {
  const metadata =
    '[tables."crm.people".columns]\nreferrer = { classification = "internal", identifies = "person" }\n';
  const entry = (answers: string, more: string): string =>
    decision(answers, more).replace(/\[(.*)\]/, '[[$1]]');
  const two: JobRun = { ...keyed, columns: { ...keyed.columns, r: ['crm.people.referrer'] } };
  const plan = (...entries: readonly string[]) =>
    planOf({
      tables: { ...PEOPLE, 'mart.t': 'k name:string r' },
      ...{ runs: [two], sources: SOURCES, metadata, retention: entries.join('') },
    });
  const deletes = entry('["two-people"]', 'action = "delete"\nby = ["k"]');
  const clears = entry('["two-people"]', 'action = "clear"\nby = ["r"]\ncolumns = ["r"]');
  // In any order; a decision about what the job meets later stands beside them.
  for (const entries of [
    [deletes, clears],
    [clears, deletes, entry('["mentions"]', 'action = "ignore"')],
  ]) {
    const { steps, findings } = await plan(...entries);
    const decided = steps.find(({ table }) => table === 'mart.t')!;
    expect(told(decided)).toBe('delete by k = crm.people.person_id, clear r');
    expect(stepText(decided)).toBe('delete by k, a copy of crm.people.person_id; clear r in rows that stay');
    expect(decided.clearBy?.map(({ columns }) => columns)).toEqual([['r']]);
    expect(decided.reason).toBe('looked at');
    expect(findings).toEqual([]);
  }
  // What excludes each other is refused where the file is read, or where the plan is made.
  await expect(plan(deletes, entry('["two-people"]', 'action = "ignore"'))).rejects.toMatchObject({
    code: 'governance/faults',
  });
  const all = [
    entry('["cast-key"]', 'action = "delete"\nby = ["ref"]'),
    entry('["uncovered-source", "no-rebuild"]', 'action = "ignore"'),
  ];
  await expect(step(cast, 'ref:string', { retention: all.join('') })).rejects.toMatchObject({
    code: 'plan/two-decisions',
  });
});
