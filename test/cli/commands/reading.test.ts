import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crmExport } from '../../../examples/platform/index.ts';
import { system } from '../../../src/cli/system.ts';
import { openIceberg } from '../../../src/index.ts';
import { printed, printedCount } from '../../support/chapter.ts';
import { platformWorkspace, type Workspace } from '../workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await platformWorkspace();
});
afterAll(() => workspace.remove());

const TODAY = '2026-10-01';

describe('lethe tables', () => {
  test('lists all twelve tables', async () => {
    const { exit, document } = await workspace.json('tables');
    expect(exit).toBe(0);
    expect(document.schemaVersion).toBe(1);
    expect(document.tables).toHaveLength(12);
    expect(document.tables.find((one: { table: string }) => one.table === 'learning.events')).toEqual({
      table: 'learning.events',
      location: expect.stringContaining('warehouse/learning/events'),
      formatVersion: 2,
      rows: printedCount('retention-rules-due', `learning.events on ${TODAY}, rows in the table`),
      dataFiles: 1,
      deleteFiles: 0,
      snapshots: 1,
      refs: [{ name: 'main', type: 'branch', snapshotId: expect.stringMatching(/^\d+$/) }],
      refusals: [],
    });
  });

  test('fits a hundred columns, with nothing on standard error', async () => {
    const { out, err } = await workspace.lethe('tables');
    expect(out).toContain('learning.events');
    for (const line of out.split('\n')) expect([...line].length).toBeLessThanOrEqual(100);
    expect(err).toBe('');
  });
});

describe('lethe due', () => {
  test.each([TODAY, '2026-12-30'])('counts for %s what the chapter counts', async (day) => {
    const { exit, document } = await workspace.json(`due --day ${day}`);
    expect(exit).toBe(0);
    expect(document).toMatchObject({ schemaVersion: 1, day });
    for (const { table, keptFrom, due, rows, undated, held } of document.tables) {
      expect(keptFrom).toBe(printed('retention-rules-due', `${table} on ${day}, kept from`));
      expect(due).toBe(printedCount('retention-rules-due', `${table} on ${day}, rows due`));
      expect(rows).toBe(printedCount('retention-rules-due', `${table} on ${day}, rows in the table`));
      expect([undated, held]).toEqual([0, null]);
    }
    expect(document.tables).toHaveLength(3);
  });

  test('wants a day, a real one', async () => {
    expect(await workspace.json('due')).toMatchObject({
      exit: 2,
      document: { error: { code: 'cli/usage' } },
    });
    expect(await workspace.json('due --day 2026-02-30')).toMatchObject({
      exit: 2,
      document: { error: { code: 'values/day' } },
    });
  });
});

describe('lethe consent', () => {
  test('C3: counts what marketing may see, with the filter for an engine', async () => {
    const { exit, document } = await workspace.json('consent --at 2026-10-01 --dialect trino');
    expect(exit).toBe(0);
    expect(document).toMatchObject({ schemaVersion: 1, at: '2026-10-01T00:00:00.000Z' });
    const [, marketing] = document.purposes;
    expect(marketing).toEqual({
      purpose: 'marketing_email',
      subject: 'learner',
      table: 'crm.learners',
      filter: `("marketing_consent" = TRUE) AND ("status" = 'active')`,
      rows: printedCount('consent-withdrawal', 'after the withdrawal, rows stored in crm.learners'),
      given: printedCount('consent-withdrawal', 'after the withdrawal, learners marketing sees'),
      states: null,
      toErase: null,
      stale: [],
    });
  });

  test('C4: ends with 1 while the audience stands as it was before the last load of the learners', async () => {
    const path = join(workspace.dir, 'warehouse');
    const warehouse = await openIceberg({ catalog: { kind: 'directory', path }, ...system });
    await warehouse.overwrite('crm.learners', crmExport([3590]));
    await warehouse.close();
    const { exit, out } = await workspace.lethe('consent --at 2026-10-01');
    expect(exit).toBe(1);
    expect(out).toMatch(
      /^marketing_email: marketing\.audience was built .* Run\s.*marketing_audience again$/ms,
    );
    for (const line of out.split('\n')) expect([...line].length).toBeLessThanOrEqual(100);
  });

  test('wants an instant', async () => {
    expect(await workspace.json('consent --at yesterday')).toMatchObject({
      exit: 2,
      document: { error: { code: 'cli/instant' } },
    });
  });
});

describe('lethe lineage edges', () => {
  test('gives each pair of columns once, with its roles', async () => {
    const { exit, document } = await workspace.json('lineage edges');
    expect(exit).toBe(0);
    expect(document.skipped).toEqual([]);
    expect(document.events).toBeGreaterThan(0);
    expect(document.edges).toContainEqual(
      expect.objectContaining({
        from: { table: 'learning.reviews', column: 'review_id' },
        to: { table: 'ai.review_corpus', column: 'review_id' },
        roles: ['identity'],
      }),
    );
    const pairs = document.edges.map(({ from, to }: { from: object; to: object }) =>
      JSON.stringify([from, to]),
    );
    expect(new Set(pairs).size).toBe(pairs.length);
  });
});

describe('lethe plan', () => {
  test('prints the ten tables, and exits 0 because nothing needs a decision', async () => {
    const { exit, document } = await workspace.json('plan learner');
    expect(exit).toBe(0);
    expect(document).toMatchObject({ schemaVersion: 1, subject: 'learner', unmapped: [], unaccounted: [] });
    expect(document.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(document.steps).toHaveLength(printedCount('erasure-plan', 'tables in the plan'));
    for (const step of document.steps) {
      expect(Object.keys(step)).toEqual(
        expect.arrayContaining([
          'table',
          'action',
          'match',
          'column',
          'copyOf',
          'clear',
          'job',
          'reason',
          'causes',
          'probe',
          'why',
        ]),
      );
    }
  });

  test('exits 1 while a review stands', async () => {
    await workspace.edit('governance/lineage.toml', (text) =>
      text.replace('[sources]', '[sources]\n# shorter'),
    );
    await workspace.edit('lethe.toml', (text) => text.replaceAll('replaces = "all"', ''));
    const { exit, document } = await workspace.json('plan learner');
    await workspace.edit('lethe.toml', (text) => text.replaceAll(/^run = /gm, 'replaces = "all"\nrun = '));
    expect(exit).toBe(1);
    expect(document.steps.filter(({ action }: { action: string }) => action === 'review')).not.toEqual([]);
  });

  test('draws itself, explains a step, and compares with an older plan', async () => {
    expect((await workspace.lethe('plan learner --mermaid')).out).toMatch(/^flowchart LR\n/);
    expect((await workspace.lethe('plan learner --mermaid --columns')).out).toContain('card_number: cleared');
    expect((await workspace.lethe('plan learner --html')).out).toMatch(/^<!doctype html>/);
    const why = await workspace.json('plan learner --why ai.review_corpus');
    expect(why.document.paths.flat()).toContainEqual(
      expect.objectContaining({ from: 'learning.reviews.review_id', to: 'ai.review_corpus.review_id' }),
    );
    expect((await workspace.json('plan learner --why crm.nothing')).exit).toBe(2);
    const { document } = await workspace.json('plan learner');
    const older = { ...document, steps: document.steps.slice(1) };
    await writeFile(join(workspace.dir, 'old.json'), JSON.stringify(older));
    const compared = await workspace.lethe('plan learner --against old.json');
    expect(compared.out).toMatch(/^\+ billing\.payments: keep/);
    const comment = await workspace.lethe('plan learner --against old.json --mermaid');
    expect(comment.out).toMatch(
      /^### Erasure of a learner: 1 added, [\s\S]*```mermaid\n%% 9 other tables are left out\nflowchart LR\n/,
    );
    await writeFile(join(workspace.dir, 'old.json'), JSON.stringify(document));
    expect((await workspace.lethe('plan learner --against old.json')).out).toBe(
      'The plan has not changed.\n',
    );
    expect((await workspace.json('plan learner --against lethe.toml')).document.error.code).toBe(
      'cli/no-plan',
    );
  });

  test('exits 2 for a kind of person that nobody declared', async () => {
    expect((await workspace.json('plan teacher')).exit).toBe(2);
  });
});

describe('lethe check', () => {
  test('warns of what nobody classified, and exits 0 because nothing would stop a job', async () => {
    const { exit, document } = await workspace.json('check');
    expect(exit).toBe(0);
    const unclassified = document.findings.filter(({ code }: { code: string }) => code === 'unclassified');
    expect(unclassified).toHaveLength(
      printedCount('statistics-off-for-personal-columns', 'of them in tables nobody has classified'),
    );
    for (const finding of document.findings) {
      expect(Object.keys(finding).sort()).toEqual(
        ['code', 'column', 'file', 'level', 'line', 'message', 'remedy', 'table'].sort(),
      );
    }
  });

  test('exits 1 where a rule names a column that the table lacks, and points at it', async () => {
    await workspace.edit('governance/retention.toml', (text) => text.replace('"opened_at"', '"opend_at"'));
    const { exit, document } = await workspace.json('check');
    await workspace.edit('governance/retention.toml', (text) => text.replace('"opend_at"', '"opened_at"'));
    expect(exit).toBe(1);
    expect(document.findings).toContainEqual(
      expect.objectContaining({
        level: 'error',
        table: 'support.tickets',
        file: expect.stringContaining('retention.toml'),
        line: expect.any(Number),
      }),
    );
  });

  test('exits 2 where a file has faults, and reports all of them', async () => {
    await workspace.edit('governance/retention.toml', (text) => text.replace(/keep_days/g, 'keep_day'));
    const { exit, document } = await workspace.json('check');
    const { out } = await workspace.lethe('check');
    await workspace.edit('governance/retention.toml', (text) => text.replace(/keep_day\b/g, 'keep_days'));
    expect(exit).toBe(2);
    expect(document.findings.length).toBeGreaterThanOrEqual(3);
    expect(out).toContain('did you mean keep_days?');
  });

  test('shows control characters of a file by their numbers', async () => {
    const hostile = '\nx = "\u001b[31m\u009b1m\u202e"';
    await workspace.edit('governance/retention.toml', (text) => text + hostile);
    const { exit, out } = await workspace.lethe('check');
    await workspace.edit('governance/retention.toml', (text) => text.replace(hostile, ''));
    expect(exit).toBe(2);
    expect(out).toContain('\\u{1b}[31m\\u{9b}1m\\u{202e}');
    for (const char of '\u001b\u009b\u202e') expect(out).not.toContain(char);
  });
});

describe('lethe test', () => {
  test("runs the platform's policy cases", async () => {
    const { exit, document } = await workspace.json('test');
    expect(document.failed).toBe(0);
    expect(document.passed).toBeGreaterThan(5);
    expect(exit).toBe(0);
  });

  test('exits 1 when a case fails', async () => {
    await workspace.edit('governance/retention.toml', (text) =>
      text.replace('keep_days = 365', 'keep_days = 366'),
    );
    const { exit, document } = await workspace.json('test');
    await workspace.edit('governance/retention.toml', (text) =>
      text.replace('keep_days = 366', 'keep_days = 365'),
    );
    expect(exit).toBe(1);
    expect(document.failed).toBe(2);
  });
});

describe('without a warehouse', () => {
  let without: Workspace;
  beforeAll(async () => {
    without = workspace;
    await without.edit('lethe.toml', (text) => text.replace(/\[warehouse\][^[]*/, ''));
  });

  test.each(['check', 'plan learner', 'lineage edges', `due --day ${TODAY}`, 'test'])(
    'lethe %s works from the files and the events',
    async (command) => {
      const { exit, document } = await without.json(command);
      expect(exit).toBe(0);
      expect(document.schemaVersion).toBe(1);
    },
  );

  test('the plan is the one that the tables give', async () => {
    const { document } = await without.json('plan learner');
    expect(document.steps).toHaveLength(printedCount('erasure-plan', 'tables in the plan'));
  });

  test.each(['tables', 'properties', 'scan learner 1', `apply --day ${TODAY}`])(
    'lethe %s says that it needs one',
    async (command) => {
      expect(await without.json(command)).toMatchObject({
        exit: 2,
        document: { error: { code: 'cli/no-warehouse' } },
      });
    },
  );
});
