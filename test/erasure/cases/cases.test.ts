import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadCases, parseCases, runCases } from '../../../src/erasure/cases/index.ts';
import type { Plan, Step } from '../../../src/erasure/plan/plan.ts';
import { GovernanceError, loadGovernance, parseGovernance } from '../../../src/governance/index.ts';

const governance = parseGovernance({
  'retention.toml': `
[tables."support.tickets"]
keep_days = 730
counted_from = "opened_at"
only_when = { column = "status", equals = "closed" }
[[tables."crm.notes"]]
keep_days = 30
counted_from = "read_on"
[[tables."crm.notes"]]
keep = "P2Y"
counted_from = "written_on"
format = "dd.MM.yyyy"
[erasure.subjects.learner]
id_type = "long"
id_columns = ["learner_id"]
identifying = []
`,
  'consent.toml': '[purposes.p]\nsubject = "learner"\ntable = "crm.learners"\nattribute = "agreed"',
});

/** Runs one file of cases; a failure as `line: message`. */
async function run(toml: string, plan?: (subject: string) => Plan) {
  const cases = parseCases({ 'cases/x.toml': toml });
  const results = await runCases({ governance, cases, ...(plan !== undefined && { plan }) });
  return results.map(({ passed, notRun, failures }) => ({
    passed,
    notRun,
    failures: failures.map(({ line, column, message }) => `${line}:${column} ${message}`),
  }));
}

const passed = { passed: true, notRun: null, failures: [] };

describe('retention cases', () => {
  test('rows due and kept, and the cutoff', async () => {
    const toml = `
[[retention]]
name = "closed tickets go after two years"
table = "support.tickets"
day = 2026-10-01
kept_from = 2024-10-01
due = [{ opened_at = 2024-09-30T23:59:59Z, status = "closed" }, { opened_at = 2020-01-01, status = "closed" }]
kept = [
  { opened_at = 2024-10-01T00:00:00Z, status = "closed" },
  { opened_at = 2020-01-01T00:00:00, status = "open" },
  { opened_at = 2020-01-01 },
  { status = "closed" },
]
`;
    expect(await run(toml)).toEqual([passed]);
  });

  test('a failing expectation is named at its own line', async () => {
    const toml = `[[retention]]
name = "wrong in every way"
table = "support.tickets"
day = 2026-10-01
kept_from = 2024-10-02
due = [
  { opened_at = 2020-01-01, status = "open" },
]
kept = [{ opened_at = 2020-01-01, status = "closed" }]
`;
    expect(await run(toml)).toEqual([
      {
        passed: false,
        notRun: null,
        failures: [
          '5:13 rows are kept from 2024-10-01, not 2024-10-02',
          '7:3 the row is kept, not due',
          '9:9 the row is due, not kept',
        ],
      },
    ]);
  });

  test('of several rules any makes a row due, or the one that is named', async () => {
    const toml = (rule: string, from: string) => `[[retention]]
name = "notes"
table = "crm.notes"
day = 2026-10-01
${rule}
kept_from = ${from}
due = [{ written_on = "30.09.2024" }]
`;
    expect(await run(toml('rule = 2', '2024-10-01'))).toEqual([passed]);
    expect(await run(toml('', '2024-10-01'))).toMatchObject([
      {
        failures: [
          '6:13 rows are kept from 2026-09-01 and 2024-10-01, not 2024-10-01; say which rule with rule = 1',
        ],
      },
    ]);
    expect(await run(toml('rule = 3', '2024-10-01'))).toMatchObject([{ passed: false }]);
  });

  test('a row that no rule reads, or of a type that no rule can ask, fails in words', async () => {
    const toml = (row: string) =>
      `[[retention]]\nname = "n"\ntable = "support.tickets"\nday = 2026-10-01\nkept = [${row}]\n`;
    expect((await run(toml('{ opened = 2020-01-01 }')))[0]!.failures[0]).toMatch(/no rule reads opened/);
    expect((await run(toml('{ opened_at = "2020-01-01" }')))[0]!.failures[0]).toMatch(/is text/);
    expect((await run(toml('{ opened_at = 2020-01-01, status = 5 }')))[0]!.failures[0]).toMatch(
      /cannot be compared/,
    );
  });
});

describe('consent cases', () => {
  test('the state and whether it is given', async () => {
    const toml = (state: string, given: boolean) => `[[consent]]
name = "c"
purpose = "p"
instant = 2026-10-01T00:00:00Z
records = [{ state = "withdrawn", changed_at = 2026-09-01T00:00:00+02:00 }, { state = "given", changed_at = 2026-01-01T00:00:00Z }]
state = "${state}"
given = ${given}
`;
    expect(await run(toml('withdrawn', false))).toEqual([passed]);
    expect(await run(toml('given', true))).toMatchObject([
      { failures: ['6:9 the state is withdrawn, not given', '7:9 withdrawn is not given'] },
    ]);
  });
});

describe('plan cases', () => {
  const step = (table: string, action: Step['action'], column: string | null, copyOf: string | null) =>
    ({ table, action, column, copyOf, why: 'the reason' }) as Step;
  const plan = () =>
    ({
      steps: [
        step('crm.learners', 'delete', 'learner_id', null),
        step('ai.corpus', 'delete', 'review_id', 'a.b.review_id'),
      ],
    }) as unknown as Plan;
  const toml = (steps: string) => `[[plan]]\nname = "p"\nsubject = "learner"\nsteps = [\n${steps}\n]\n`;

  test('steps that the plan has, and tables that it leaves out', async () => {
    const steps = `{ table = "crm.learners", action = "delete", column = "learner_id" },
{ table = "ai.corpus", action = "delete", copy_of = "a.b.review_id" },
{ table = "x.y", action = "none" }`;
    expect(await run(toml(steps), plan)).toEqual([passed]);
  });

  test('each difference at its line', async () => {
    const steps = `{ table = "crm.learners", action = "keep" },
{ table = "ai.corpus", action = "delete", column = "id" },
{ table = "ai.corpus", action = "delete", copy_of = "c" },
{ table = "x.y", action = "delete" },
{ table = "crm.learners", action = "none" }`;
    expect(await run(toml(steps), plan)).toMatchObject([
      {
        failures: [
          '5:1 crm.learners is delete, not keep: the reason',
          '6:1 ai.corpus is matched by review_id, not id',
          "7:1 ai.corpus's key is a copy of a.b.review_id, not c",
          '8:1 the plan has no step for x.y',
          '9:1 the plan has crm.learners: delete',
        ],
      },
    ]);
  });

  test('without lineage they are not run, and have not passed', async () => {
    expect(await run(toml('{ table = "a.b", action = "none" }'))).toEqual([
      { passed: false, notRun: 'there is no lineage to plan from', failures: [] },
    ]);
  });
});

describe('faults of the files', () => {
  test('come all at once, with places', () => {
    const read = () =>
      parseCases({
        'a.toml':
          '[[retention]]\nname = "n"\ntable = "t"\nday = "2026-02-30"\ndeu = []\n[[plan]]\nname = "n"\nsubject = "s"\nsteps = [{ table = "t", action = "drop" }]',
        'b.toml': '[consent]\nname = "n"\n[other]\n',
      });
    expect(read).toThrowError(GovernanceError);
    expect(read).toThrowError(
      expect.objectContaining({
        faults: [
          expect.objectContaining({ file: 'a.toml', line: 4, column: 7 }),
          expect.objectContaining({
            file: 'a.toml',
            line: 5,
            code: 'governance/unknown-key',
            nearest: 'due',
          }),
          expect.objectContaining({ file: 'a.toml', line: 9, found: '"drop"' }),
          expect.objectContaining({ file: 'b.toml', line: 1 }),
          expect.objectContaining({ file: 'b.toml', line: 3, code: 'governance/unknown-key' }),
        ],
      }),
    );
  });

  test('a case about something that nobody declared fails, with the nearest name', async () => {
    const toml =
      '[[retention]]\nname = "n"\ntable = "support.ticket"\nday = 2026-10-01\n[[consent]]\nname = "n"\npurpose = "q"\ninstant = 2026-10-01T00:00:00Z\nrecords = []\n';
    expect((await run(toml)).map(({ failures }) => failures)).toEqual([
      ['1:3 support.ticket is not declared in the governance files; did you mean support.tickets?'],
      [expect.stringMatching(/^5:3 q is not declared/)],
    ]);
  });
});

test('the example platform’s own retention and consent cases hold', async () => {
  const dir = fileURLToPath(new URL('../../../governance', import.meta.url));
  const cases = (await loadCases(`${dir}/cases`)).filter(({ kind }) => kind !== 'plan');
  const results = await runCases({ governance: await loadGovernance(dir), cases });
  expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
});

test('where there is no folder of cases there are none', async () => {
  expect(await loadCases('/nowhere/at/all')).toEqual([]);
});
