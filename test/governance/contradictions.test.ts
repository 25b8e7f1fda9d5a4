import { expect, test } from 'vitest';
import type { CauseCode } from '../../src/erasure/plan/plan.ts';
import { parseGovernance, REVIEW_CAUSES } from '../../src/governance/index.ts';
import { faultsOf, onlyFault, RULE } from './faults.ts';

const exception = (lines: string) =>
  `[erasure.exceptions."a.b"]\nreason = "r"\ndecided_by = "d"\nerase_columns = []\n${lines}`;
const learner = '[erasure.subjects.learner]\nid_type = "long"\nid_columns = ["x"]\nidentifying = []\n';

test('an exception for a table that no rule ends', () => {
  const toml = `${RULE}[erasure.exceptions."a.c"]\nreason = "r"\ndecided_by = "d"\nerase_columns = []`;
  expect(onlyFault(toml)).toMatchObject({
    code: 'governance/exception-without-rule',
    line: 4,
    column: 21,
    nearest: 'a.b',
  });
});

test('an exception without a reason', () => {
  const toml = `${RULE}${exception('').replace('"r"', '"  "')}`;
  expect(onlyFault(toml)).toMatchObject({
    code: 'governance/wrong-value',
    line: 5,
    path: 'erasure.exceptions."a.b".reason',
  });
});

test('an exception past its review, where the day is passed', () => {
  const files = { 'retention.toml': `${RULE}${exception('review_by = 2026-06-30')}` };
  expect(parseGovernance(files).exceptions.size).toBe(1);
  expect(parseGovernance(files, { day: '2026-06-30' }).exceptions.size).toBe(1);
  expect(faultsOf(files, { day: '2026-07-01' })).toMatchObject([
    { code: 'governance/review-overdue', line: 8, column: 13 },
  ]);
});

test('subjects that nobody declared, in all three files', () => {
  const faults = faultsOf({
    'retention.toml': `${RULE}${learner}${exception('subjects = ["learner", "lerner"]')}`,
    'metadata.toml': '[tables."a.b".columns]\nx = { classification = "internal", identifies = "learners" }',
    'consent.toml': '[purposes.p]\nsubject = "lerner"\ntable = "a.b"\nattribute = "x"',
  });
  expect(faults.map(({ code, file, line, nearest }) => [code, file, line, nearest])).toEqual([
    ['governance/unknown-subject', 'consent.toml', 2, 'learner'],
    ['governance/unknown-subject', 'metadata.toml', 2, 'learner'],
    ['governance/unknown-subject', 'retention.toml', 12, 'learner'],
  ]);
});

test('an identifying column without a table', () => {
  const toml = learner.replace('identifying = []', 'identifying = ["email"]');
  expect(onlyFault(toml)).toMatchObject({
    line: 4,
    found: '"email"',
    path: 'erasure.subjects.learner.identifying[0]',
  });
});

test('a decision that answers nothing known, or lacks what its action needs', () => {
  const decision = (lines: string) => `[erasure.decisions."a.b"]\nreason = "r"\ndecided_by = "d"\n${lines}`;
  expect(onlyFault(decision('answers = ["cast-keys"]\naction = "ignore"'))).toMatchObject({
    line: 4,
    nearest: 'cast-key',
  });
  expect(onlyFault(decision('answers = ["cast-key"]\naction = "delete"'))).toMatchObject({
    code: 'governance/missing-key',
    path: 'erasure.decisions."a.b".by',
  });
  expect(onlyFault(decision('answers = ["cast-key"]\naction = "rebuild"\nby = ["x"]'))).toMatchObject({
    code: 'governance/contradiction',
    line: 6,
  });
  expect(
    onlyFault(decision('answers = ["cast-key"]\naction = "ignore"\nrefs = { q4 = "keep" }')),
  ).toMatchObject({ line: 6, found: '"keep"' });
});

test('a decision to clear says which columns, and may say in which rows', () => {
  const decision = (lines: string) =>
    `[erasure.decisions."a.b"]\nreason = "r"\ndecided_by = "d"\nanswers = ["cast-key"]\naction = "clear"\n${lines}`;
  const files = { 'retention.toml': decision('by = ["learner_id"]\ncolumns = ["name"]') };
  expect(parseGovernance(files).decisions.get('a.b')).toMatchObject([{ by: ['learner_id'] }]);
  expect(onlyFault(decision('by = ["learner_id"]'))).toMatchObject({
    code: 'governance/missing-key',
    path: 'erasure.decisions."a.b".columns',
  });
});

test('every cause that a plan can have is one that a decision can answer', () => {
  // The compiler checks that the record names every cause; the test that each of them is accepted.
  const all: Readonly<Record<CauseCode, true>> = {
    'unknown-edge': true,
    'table-only': true,
    'uncovered-source': true,
    'cast-key': true,
    'masked-key': true,
    'two-people': true,
    misaligned: true,
    'named-like-a-key': true,
    incremental: true,
    'derived-from-kept': true,
    'no-rebuild': true,
  };
  expect([...REVIEW_CAUSES].sort()).toEqual(Object.keys(all).sort());
});

test('a dataset key without a name, and a pattern that captures nothing of the kind', () => {
  const faults = faultsOf({
    'retention.toml': RULE,
    'lineage.toml':
      '[datasets]\n"s3://lake" = "a.b"\n[[patterns]]\nnamespace = "s3://lake"\nname = "{x}"\ntable = "a.{y}"',
  });
  expect(faults.map(({ line, code }) => [line, code])).toEqual([
    [2, 'governance/dataset-key'],
    [6, 'governance/wrong-value'],
  ]);
});

test('__proto__ is no name', () => {
  expect(onlyFault('[tables.__proto__]\nkeep_days = 1\ncounted_from = "d"')).toMatchObject({
    code: 'governance/reserved-name',
    line: 1,
    column: 9,
  });
});

test('a table name with a dot but without quotes says so', () => {
  const faults = faultsOf({ 'retention.toml': '[tables.crm.learners]\nkeep_days = 1\ncounted_from = "d"' });
  expect(faults.map((fault) => fault.message)).toContainEqual(expect.stringContaining('needs quotes'));
});
