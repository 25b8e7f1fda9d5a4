import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { marquezServer } from '../../lineage/marquez/server.ts';
import { runEvents } from '../../support/openlineage.ts';
import { platformWorkspace, type Workspace, workspaceIn } from '../workspace.ts';

const COPY = {
  job: 'j',
  output: 'mart.copy',
  columns: { person_id: ['crm.people.person_id'] },
  lifecycle: 'OVERWRITE',
} as const;
const CAST = {
  job: 'k',
  output: 'mart.texts',
  columns: { person: [['crm.people.person_id', 'TRANSFORMATION']] },
} as const;

/** A folder without a warehouse: events alone, from where `lineage` says. */
async function folder(lineage: string, retention = ''): Promise<Workspace> {
  const dir = await mkdtemp(join(tmpdir(), 'lethe-lineage-'));
  await mkdir(join(dir, 'governance'));
  const files = {
    'lethe.toml': `lineage = ${lineage}\n`,
    'governance/retention.toml': `[erasure.subjects.person]
id_type = "long"
id_columns = ["person_id"]
identifying = []
${retention}`,
    'governance/lineage.toml': '[sources]\n"crm.*" = "a test"\n',
    'governance/metadata.toml':
      '[tables."crm.people".columns]\nperson_id = "personal"\n[tables."mart.texts".columns]\nperson = "personal"\n[tables."mart.copy".columns]\nperson_id = "personal"\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
  return workspaceIn(dir);
}

const ndjson = (...runs: readonly Parameters<typeof runEvents>[0][]): string =>
  runs
    .flatMap(runEvents)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');

describe('lethe lineage', () => {
  test('reads standard input, and names where a broken event stands', async () => {
    const workspace = await folder('["-"]');
    const { exit, document } = await workspace.json('lineage edges', {
      stdin: `${ndjson(COPY)}{"job": 7}\n`,
    });
    expect(exit).toBe(0);
    expect(document.events).toBe(2);
    expect(document.skipped).toMatchObject([{ file: 'standard input', line: 3 }]);
    expect((await workspace.json('lineage edges')).document.error.code).toBe('cli/no-input');
    await workspace.remove();
  });

  test('reads what a Marquez server has stored, with a token that is named and never shown', async () => {
    const server = await marquezServer(ndjson(COPY).trim().split('\n'));
    const workspace = await folder(`[{ marquez = "${server.url}", token_env = "MARQUEZ_TOKEN" }]`);
    expect((await workspace.json('lineage edges')).document.error.code).toBe('cli/no-token');
    const { document } = await workspace.json('lineage edges', { env: { MARQUEZ_TOKEN: 'very-secret' } });
    expect(document.events).toBe(2);
    expect(server.requests[0]!.token).toBe('Bearer very-secret');
    await server.close();
    await workspace.remove();
  });

  test('names tells each dataset, rule and candidate in 100 columns, and exits 1 while one has no table', async () => {
    const workspace = await folder('["events.ndjson"]');
    const far = {
      ...COPY,
      job: 'z',
      output: 'mart.copies_of_everything_that_has_a_very_long_name_indeed_and_longer',
    };
    await writeFile(join(workspace.dir, 'events.ndjson'), ndjson(COPY, far));
    await workspace.edit('governance/lineage.toml', (text) => `[ignored]\n"lake gone" = "no more"\n${text}`);
    const { exit, document } = await workspace.json('lineage names');
    expect(exit).toBe(1);
    expect(document.datasets).toContainEqual(
      expect.objectContaining({ namespace: 'lake', name: 'mart.copy', table: 'mart.copy', by: 'naming' }),
    );
    expect(document.findings).toMatchObject([
      { code: 'matches-nothing', at: { file: expect.stringMatching(/lineage\.toml$/), line: 2 } },
    ]);
    const { out } = await workspace.lethe('lineage names');
    expect(out).toContain('mart.copy');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    await workspace.remove();
  });
});

describe('lethe plan', () => {
  test('answers a review by a decision, and tells of one that is not needed', async () => {
    const decision = (table: string, rest: string): string =>
      `[erasure.decisions."${table}"]\nanswers = ["cast-key", "uncovered-source", "no-rebuild"]\n${rest}reason = "a test"\ndecided_by = "DPO"\n`;
    const workspace = await folder('["events.ndjson"]');
    await writeFile(join(workspace.dir, 'events.ndjson'), ndjson(COPY, CAST));
    const open = await workspace.json('plan person');
    expect(open.exit).toBe(1);
    await workspace.edit(
      'governance/retention.toml',
      (text) =>
        `${text}${decision('mart.texts', 'action = "delete"\nby = ["person"]\n')}${decision('mart.copy', 'action = "ignore"\n')}`,
    );
    const { exit, document } = await workspace.json('plan person');
    expect(exit).toBe(0);
    expect(document.steps.find(({ table }: { table: string }) => table === 'mart.texts')).toMatchObject({
      action: 'delete',
      decidedBy: 'DPO',
    });
    expect(document.findings).toMatchObject([
      { code: 'needless-decision', table: 'mart.copy', at: { file: 'retention.toml' } },
    ]);
    await workspace.remove();
  });

  test('--why shows each edge with its job, its run, its time, and the event that recorded it', async () => {
    const workspace = await folder('["events.ndjson"]');
    await writeFile(join(workspace.dir, 'events.ndjson'), ndjson(COPY, { ...COPY, at: 30, runId: 'second' }));
    const { document } = await workspace.json('plan person --why mart.copy');
    const lines = (await readFile(join(workspace.dir, 'events.ndjson'), 'utf8')).split('\n');
    const line = 1 + lines.findIndex((text) => text.includes('"second"') && text.includes('columnLineage'));
    expect(line).toBeGreaterThan(1);
    expect(document.paths).toMatchObject([
      [
        {
          from: 'crm.people.person_id',
          to: 'mart.copy.person_id',
          job: 'test j',
          run: 'second',
          at: '2026-09-02T06:01:00.000000Z',
          event: { file: expect.stringMatching(/events\.ndjson$/), line },
        },
      ],
    ]);
    const { out } = await workspace.lethe('plan person --why mart.copy');
    expect(out).toMatch(
      new RegExp(`by test j, run second, 2026-09-02T06:01:00.000000Z, \\S*events\\.ndjson:${line}\n`),
    );
    await workspace.remove();
  });
});

describe('the options of lethe plan', () => {
  test.each([
    '--html --mermaid',
    '--html --columns',
    '--html --why m.t',
    '--html --against old.json',
    '--html --probe',
    '--why m.t --against old.json',
    '--against old.json --probe',
    '--mermaid --probe',
  ])('%s is refused: one of them would be left out', async (options) => {
    const workspace = await folder('["events.ndjson"]');
    const { exit, document } = await workspace.json(`plan person ${options}`);
    expect(exit).toBe(2);
    expect(document.error).toMatchObject({
      code: 'cli/usage',
      message: expect.stringContaining('cannot be used with option'),
    });
    await workspace.remove();
  });

  test('an older plan that is not there is told from a file that is no plan', async () => {
    const workspace = await folder('["events.ndjson"]');
    await writeFile(join(workspace.dir, 'events.ndjson'), ndjson(COPY));
    const { error } = (await workspace.json('plan person --against old.json')).document;
    expect(error).toMatchObject({ code: 'cli/no-plan', message: expect.stringMatching(/^There is no file/) });
    const other = (await workspace.json('plan person --against lethe.toml')).document.error;
    expect(other).toMatchObject({ code: 'cli/no-plan', message: expect.stringContaining('is no plan.') });
    await workspace.remove();
  });

  test('one table is a table, and the help of lineage shows examples', async () => {
    const workspace = await folder('["events.ndjson"]');
    const PEOPLE = { ...COPY, columns: {}, output: 'crm.people', inputs: [] };
    await writeFile(join(workspace.dir, 'events.ndjson'), ndjson(PEOPLE));
    await workspace.edit(
      'governance/metadata.toml',
      () => '[tables."crm.people".columns]\nperson_id = "personal"\n',
    );
    expect((await workspace.lethe('plan person')).out).toContain('Erasure of a person: 1 table, plan ');
    const help = await workspace.lethe('lineage --help');
    expect(help.out).toContain('$ lethe lineage names');
    await workspace.remove();
  });
});

describe('lethe plan --probe', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await platformWorkspace();
    await workspace.edit('lethe.toml', (text) => text.replaceAll('replaces = "all"', ''));
  });
  afterAll(() => workspace.remove());

  test('asks the tables, and shows counts and no value', async () => {
    const { document } = await workspace.json('plan learner --probe');
    const tables = await workspace.json('tables');
    expect(document.answers.length).toBeGreaterThan(0);
    for (const { table, rows, counted } of document.answers) {
      const { rows: all } = tables.document.tables.find((one: { table: string }) => one.table === table);
      expect(rows).toBe(all);
      expect(counted).toBeLessThanOrEqual(rows);
    }
    const { out } = await workspace.lethe('plan learner --probe');
    expect(out).toMatch(/counted\s+of rows/);
    expect((await workspace.json('tables')).document).toEqual(tables.document);
  });
});
