import { describe, expect, test } from 'vitest';
import { formatFault, GovernanceError } from '../../src/governance/index.ts';
import { faultsOf, onlyFault, RULE } from './faults.ts';

/** Where the caret of an excerpt stands, and what it underlines. */
function underlined(excerpt: string): string {
  const [source = '', caret = ''] = excerpt.split('\n');
  return source.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1);
}

describe('each fault says where, what, what else, and what was meant', () => {
  test('an unknown key', () => {
    const fault = onlyFault('[tables."support.tickets"]\nkeep_day = 730\ncounted_from = "opened_at"\n');
    expect(fault).toMatchObject({
      code: 'governance/unknown-key',
      file: 'retention.toml',
      line: 2,
      column: 1,
      path: 'tables."support.tickets".keep_day',
      nearest: 'keep_days',
    });
    expect(fault.allowed).toContain('counted_from');
    expect(underlined(fault.excerpt)).toBe('keep_day');
    expect(formatFault(fault)).toBe(
      'retention.toml:2:1 tables."support.tickets".keep_day: unknown key; allowed: keep_days, keep, counted_from, format, ' +
        'only_when, counted_from_end_of, time_zone, errs; did you mean keep_days?\n' +
        '  2 | keep_day = 730\n    | ^^^^^^^^',
    );
  });

  test.each([
    [
      'a wrong type',
      '[tables."a.b"]\nkeep_days = "365"\ncounted_from = "d"',
      'governance/wrong-type',
      2,
      13,
      '"365"',
    ],
    [
      'a fraction of a day',
      '[tables."a.b"]\nkeep_days = 1.5\ncounted_from = "d"',
      'governance/wrong-type',
      2,
      13,
      '1.5',
    ],
    ['no day', '[tables."a.b"]\nkeep_days = 0\ncounted_from = "d"', 'governance/wrong-value', 2, 13, '0'],
    [
      'a blank column',
      '[tables."a.b"]\nkeep_days = 1\ncounted_from = " "',
      'governance/wrong-value',
      3,
      16,
      '" "',
    ],
    ['no period', '[tables."a.b"]\nkeep = "2Y"\ncounted_from = "d"', 'governance/wrong-value', 2, 8, '"2Y"'],
    ['a format to guess', `${RULE}format = "dd-MM-yy"`, 'governance/wrong-value', 4, 10, '"dd-MM-yy"'],
    ['no zone', `${RULE}time_zone = "Berlin"`, 'governance/wrong-value', 4, 13, '"Berlin"'],
    ['no column', '[tables."a.b"]\nkeep_days = 1', 'governance/missing-key', 1, 9, '"a.b"'],
    ['neither period', '[tables."a.b"]\ncounted_from = "d"', 'governance/keep', 1, 9, '"a.b"'],
    ['both periods', `${RULE}keep = "P1D"`, 'governance/keep', 4, 8, '"P1D"'],
    [
      'half a condition',
      `${RULE}only_when = { column = "x" }`,
      'governance/wrong-value',
      4,
      13,
      '{ column = "x" }',
    ],
    ['no metrics mode', '[statistics]\npersonal = "truncate"', 'governance/wrong-value', 2, 12, '"truncate"'],
    ['an unknown section', '[table."a.b"]\nkeep_days = 1', 'governance/unknown-key', 1, 2, 'table'],
    [
      'identifying left out',
      '[erasure.subjects.learner]\nid_type = "long"\nid_columns = ["x"]',
      'governance/missing-key',
      1,
      19,
      'learner',
    ],
    ['a list that should be a table', 'snapshots = [1]', 'governance/wrong-type', 1, 13, '[1]'],
  ])('%s', (_what, toml, code, line, column, marked) => {
    const fault = onlyFault(toml);
    expect(fault).toMatchObject({ code, line, column });
    expect(underlined(fault.excerpt)).toBe(marked);
  });
});

describe('places are right however a key is written', () => {
  test.each([
    [
      'dotted keys',
      'tables."a.b".keep_days = 1\ntables."a.b".counted_from = 5',
      2,
      29,
      'tables."a.b".counted_from',
    ],
    [
      'quoted keys with dots and blanks',
      '[ tables . "a.b c" ]\nkeep_days = 1\n"counted_from" = 5',
      3,
      18,
      'tables."a.b c".counted_from',
    ],
    [
      'literal quotes',
      "[tables.'a\"b']\nkeep_days = 1\ncounted_from = 5",
      3,
      16,
      'tables."a\\"b".counted_from',
    ],
    [
      'arrays of tables',
      '[[tables."a.b"]]\nkeep_days = 1\ncounted_from = "d"\n[[tables."a.b"]]\nkeep_days = 1\ncounted_from = 5',
      6,
      16,
      'tables."a.b"[1].counted_from',
    ],
    [
      'inline tables',
      'tables = { "a.b" = { keep_days = 1, counted_from = 5 } }',
      1,
      52,
      'tables."a.b".counted_from',
    ],
    [
      'lists in inline tables',
      `${RULE}only_when = { any = [{ column = "x", in = ["a"] }, { column = 5, in = ["a"] }] }`,
      4,
      63,
      'tables."a.b".only_when.any[1].column',
    ],
    [
      'inline tables over several lines',
      'tables."a.b" = {\n  keep_days = 1,\n  counted_from = 5,\n}',
      3,
      18,
      'tables."a.b".counted_from',
    ],
    [
      'Windows line ends',
      '[tables."a.b"]\r\nkeep_days = 1\r\ncounted_from = 5\r\n',
      3,
      16,
      'tables."a.b".counted_from',
    ],
    [
      'text before with emoji',
      '[tables."👩‍🎓"]\nkeep_days = 1\ncounted_from = 5',
      3,
      16,
      'tables."👩‍🎓".counted_from',
    ],
  ])('%s', (_what, toml, line, column, path) => {
    expect(onlyFault(toml)).toMatchObject({ code: 'governance/wrong-type', line, column, path, found: '5' });
  });

  test('a value that stands for a table is pointed at itself', () => {
    const fault = onlyFault(RULE, { 'metadata.toml': '[tables."crm.learners".columns]\nemail = "persnal"' });
    expect(fault).toMatchObject({
      file: 'metadata.toml',
      line: 2,
      column: 9,
      nearest: 'personal',
      found: '"persnal"',
    });
  });

  test('a long line is cut around its place', () => {
    const fault = onlyFault(`${RULE}only_when = { column = "x", in = [${'"a", '.repeat(200)}[]] }`);
    const [source = ''] = fault.excerpt.split('\n');
    expect(source.length).toBeLessThan(120);
    expect(underlined(fault.excerpt)).toBe('[]');
  });
});

describe('text that is no TOML', () => {
  test.each([
    ['a value left out', 'a =\n', 'governance/syntax', 1],
    ['a string without end', 'a = "x\n', 'governance/syntax', 1],
    ['a key twice', `${RULE}keep_days = 2`, 'governance/duplicate-key', 4],
    ['a table twice', `${RULE}[tables."a.b"]`, 'governance/duplicate-key', 4],
  ])('%s', (_what, toml, code, line) => {
    expect(onlyFault(toml)).toMatchObject({ code, line });
  });
});

describe('a file that no parser should be given is a fault with its place, and not an overflow', () => {
  const CASES: readonly [string, string, number, number, RegExp][] = [
    ['letters that are not UTF-8', `${RULE}[tables."c.\uFFFDa"]`, 4, 12, /not UTF-8/],
    ['a long line', `${RULE}x = "${'y'.repeat(100_000)}"`, 4, 1, /more than 100000 characters/],
    ['a key of many dots', `${RULE}x${'.x'.repeat(20_000)} = 1`, 4, 197, /too many tables/],
    ['a header of many dots', `${RULE}[x${'.x'.repeat(20_000)}]`, 4, 202, /too many tables/],
  ];
  test.each(CASES)('%s', (_, retention, line, column, message) => {
    const faults = faultsOf({ 'retention.toml': retention });
    const fault = faults.find(({ code }) => code === 'governance/syntax');
    expect(fault).toMatchObject({ line, column, message: expect.stringMatching(message) });
  });
});

test('R3: a period that leads out of the calendar is a fault at its line', () => {
  expect(() => onlyFault('[tables."a.b"]\nkeep = "P1000Y"\ncounted_from = "d"')).toThrow('no fault');
  for (const keep of ['P1001Y', 'P9999Y', 'P99999M', 'P999Y999999D'])
    expect(onlyFault(`[tables."a.b"]\nkeep = "${keep}"\ncounted_from = "d"`)).toMatchObject({
      line: 2,
      path: 'tables."a.b".keep',
      message: 'must be at most 365000 days',
    });
});

test('all faults of all files come at once, in order, in one error', () => {
  const files = {
    'retention.toml': '[tables."a.b"]\nkeep_days = "x"\ncounted_form = "d"\n[statistics]\npersonal = 5\n',
    'metadata.toml': 'x = ',
    'consent.toml': '[purposes.p]\nsubject = "nobody"\n',
    'lineage.toml': '[source]\n"a" = "b"',
  };
  const faults = faultsOf(files);
  expect(faults.map(({ file, line }) => `${file}:${line}`)).toEqual([
    'consent.toml:1',
    'consent.toml:1',
    'consent.toml:2',
    'lineage.toml:1',
    'metadata.toml:1',
    'retention.toml:1',
    'retention.toml:2',
    'retention.toml:3',
    'retention.toml:5',
  ]);
  const error = new GovernanceError(faults);
  expect(error).toMatchObject({ code: 'governance/faults', kind: 'input', name: 'GovernanceError' });
  expect(error.message).toMatch(/9 faults in the governance files\. Correct the lines shown/);
  for (const fault of faults) expect(error.message).toContain(formatFault(fault));
});
