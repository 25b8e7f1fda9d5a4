import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readCases } from '../../../src/cli/cases/read.ts';
import { runCases } from '../../../src/cli/cases/run.ts';
import type { Plan } from '../../../src/erasure/plan/plan.ts';
import { loadGovernance, parseGovernance } from '../../../src/governance/index.ts';

const platform = fileURLToPath(new URL('../../../governance', import.meta.url));

async function cases(text: string): Promise<Awaited<ReturnType<typeof readCases>>> {
  const folder = await mkdtemp(join(tmpdir(), 'lethe-cases-'));
  await writeFile(join(folder, 'some.toml'), text);
  return readCases(folder);
}

const governance = parseGovernance({
  'retention.toml': `
    [[tables."a.b"]]
    keep_days = 30
    counted_from = "day"
    [[tables."a.b"]]
    keep_days = 10
    counted_from = "day"
    only_when = { column = "state", equals = "done" }
    [erasure.subjects.person]
    id_type = "long"
    id_columns = ["id"]
    identifying = []`,
  'consent.toml': `
    [purposes.mail]
    subject = "person"
    table = "a.b"
    attribute = "yes"`,
});

const noPlan = () => Promise.reject(new Error('no plan was expected'));

describe('policy cases', () => {
  test("the example platform's rules and purposes decide what its cases say", async () => {
    const own = (await readCases(join(platform, 'cases'))).filter((one) => one.kind !== 'plan');
    const results = await runCases(own, { governance: await loadGovernance(platform), plan: noPlan });
    expect(results.length).toBeGreaterThan(5);
    expect(results.filter((result) => !result.passed)).toEqual([]);
  });

  test('a row is due when any rule of its table says so; a row without a date never is', async () => {
    const results = await runCases(
      await cases(`
        [[retention]]
        name = "right"
        table = "a.b"
        day = 2026-10-31
        kept_from = 2026-10-01
        due = [{ day = 2026-09-30 }, { day = 2026-10-20, state = "done" }]
        kept = [{ day = 2026-10-01 }, { state = "done" }, { day = 2026-10-20, state = "open" }]
        [[retention]]
        name = "wrong"
        table = "a.b"
        day = 2026-10-31
        kept_from = 2026-10-02
        due = [{ day = 2026-10-01 }]
        kept = [{ day = 2026-09-30, n = 1, part = 1.5, sure = true }]`),
      { governance, plan: noPlan },
    );
    expect(results.map(({ name, passed, line }) => [name, passed, line])).toEqual([
      ['right', true, 2],
      ['wrong', false, 9],
    ]);
    expect(results[1]!.why).toEqual([
      'it keeps from 2026-10-01, 2026-10-21, not 2026-10-02',
      '{ day = 2026-10-01 } is kept',
      '{ day = 2026-09-30, n = 1, part = 1.5, sure = true } is due',
    ]);
  });

  test('consent that is not known is not given', async () => {
    const results = await runCases(
      await cases(`
        [[consent]]
        name = "wrong"
        purpose = "mail"
        given = [{}]
        not_given = [{ yes = true }]
        [[consent]]
        name = "nobody asks"
        purpose = "post"`),
      { governance, plan: noPlan },
    );
    expect(results.map(({ why }) => why)).toEqual([
      ['{} is left out', '{ yes = true } is let through'],
      ['no purpose post is declared'],
    ]);
  });

  test('a plan has exactly the steps that a case pins', async () => {
    const step = (table: string, more: object) => ({
      table,
      clear: [],
      column: null,
      copyOf: null,
      job: null,
      ...more,
    });
    const plan = {
      steps: [step('a.a', { action: 'delete', column: 'id' }), step('a.c', { action: 'rebuild', job: 'j' })],
    } as unknown as Plan;
    const [right, wrong, undeclared] = await runCases(
      await cases(`
        [[plan]]
        name = "right"
        subject = "person"
        steps = { "a.a" = { action = "delete", column = "id" }, "a.c" = { action = "rebuild" } }
        [[plan]]
        name = "wrong"
        subject = "person"
        steps = { "a.a" = { action = "keep", column = "id", clear = ["card"], copy_of = "x.y.id" }, "a.b" = { action = "delete" } }
        [[plan]]
        name = "undeclared"
        subject = "nobody"
        steps = {}`),
      { governance, plan: async () => plan },
    );
    expect(right).toMatchObject({ passed: true, why: [] });
    expect(wrong!.why).toEqual([
      'a.b is not in the plan',
      'a.c is in the plan too',
      'a.a: action is delete, not keep',
      'a.a: copy_of is nothing, not x.y.id',
      'a.a: clear is nothing, not card',
    ]);
    expect(undeclared!.why).toEqual(['no kind of subject nobody is declared']);
  });

  test('faults in a case file are pointed at', async () => {
    await expect(cases('[[retention]]\nname = "x"\ntabel = "a.b"\nday = 2026-02-28')).rejects.toThrow(
      /some\.toml:3:1 .*did you mean table\?/,
    );
    await expect(cases('[[consent]]\nname = "x"\npurpose = "mail"\ngiven = [1]')).rejects.toThrow(
      /some\.toml:4:10/,
    );
  });

  test('a folder without cases has none', async () => {
    expect(await readCases('/no/such/folder')).toEqual([]);
  });
});
