import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chapterText, printedCount } from '../../support/chapter.ts';
import { platformWorkspace, type Workspace } from '../workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await platformWorkspace();
});
afterAll(() => workspace.remove());

describe('lethe apply', () => {
  test('R5: deletes what is due, once', async () => {
    const { exit, document } = await workspace.json('apply --day 2026-10-01');
    expect(exit).toBe(0);
    for (const { table, deleted, snapshotId } of document.tables) {
      expect(deleted).toBe(printedCount('apply-retention', `${table}, rows deleted`));
      expect(snapshotId).toMatch(/^\d+$/);
    }
    const again = await workspace.json('apply --day 2026-10-01');
    expect(again.document.tables.map(({ deleted }: { deleted: number }) => deleted)).toEqual([0, 0, 0]);
    const ids = (one: typeof document) =>
      one.tables.map(({ snapshotId }: { snapshotId: string }) => snapshotId);
    expect(ids(again.document)).toEqual(ids(document));
  });

  test("R9: expires by each table's own settings, so nothing that is a few seconds old", async () => {
    const { exit, document } = await workspace.json('apply --day 2026-10-01 --expire');
    expect(exit).toBe(0);
    expect(document.expired).toEqual(
      ['billing.payments', 'learning.events', 'support.tickets'].map((table) => ({
        table,
        snapshots: [],
        filesDeleted: 0,
        refused: null,
      })),
    );
  });
});

describe('lethe properties', () => {
  test('P1: shows what is wanted and missing, and exits 1 while something is', async () => {
    const { exit, document } = await workspace.json('properties');
    expect(exit).toBe(1);
    expect(document.tables['crm.learners'].missing).toEqual(document.tables['crm.learners'].wanted);
    expect(Object.keys(document.tables['crm.learners'].wanted)).toHaveLength(
      printedCount('statistics-off-for-personal-columns', 'crm.learners, properties set'),
    );
    const lines = chapterText('statistics-off-for-personal-columns').match(/^ {2}\S+ = \S+$/gm) ?? [];
    expect(
      Object.entries(document.tables['crm.learners'].wanted).map(([key, value]) => `  ${key} = ${value}`),
    ).toEqual(lines);
  });

  test('P2: --apply sets them all, and again changes nothing', async () => {
    const { exit, document } = await workspace.json('properties --apply');
    expect(exit).toBe(0);
    expect(document.left).toEqual([]);
    for (const { missing } of Object.values<{ missing: object }>(document.tables))
      expect(missing).toEqual({});
    const again = await workspace.json('properties --apply');
    expect(again.document.applied.every(({ set }: { set: object }) => Object.keys(set).length === 0)).toBe(
      true,
    );
    expect((await workspace.json('properties')).exit).toBe(0);
  });
});

describe('a name that the tables do not have', () => {
  const mistype = (text: string) => text.replace('"crm.learners.email"', '"crm.learners.emial"');
  const mend = (text: string) => text.replace('"crm.learners.emial"', '"crm.learners.email"');

  test.each([
    'apply --day 2026-10-01',
    'properties --apply',
    'scan learner 3590',
    'erase learner 3590 --request r-1 --day 2026-10-01',
  ])('lethe %s does not begin', async (command) => {
    await workspace.edit('governance/retention.toml', mistype);
    const { exit, document } = await workspace.json(command);
    await workspace.edit('governance/retention.toml', mend);
    expect(exit).toBe(2);
    expect(document.error.code).toBe('governance/tables');
    expect(document.error.data.findings).toMatchObject([
      { code: 'no-column', table: 'crm.learners', column: 'emial' },
    ]);
  });
});

describe('a folder that is not there', () => {
  test.each(['tables', 'scan learner 3590', 'properties'])(
    'lethe %s finds nobody in no warehouse, and does not call that clean',
    async (command) => {
      await workspace.edit('lethe.toml', (text) => text.replace('path = "warehouse"', 'path = "warehous"'));
      const { exit, document } = await workspace.json(command);
      await workspace.edit('lethe.toml', (text) => text.replace('path = "warehous"', 'path = "warehouse"'));
      expect([exit, document.error.code]).toEqual([2, 'cli/no-warehouse']);
    },
  );

  test('nor is evidence that is not there as it was written', async () => {
    const { exit, document } = await workspace.json('evidence check evidenze');
    expect([exit, document.error.code]).toEqual([2, 'cli/no-evidence']);
  });
});

describe('lethe --help', () => {
  test('lists the commands and the exit codes', async () => {
    const { exit, out, err } = await workspace.lethe('--help');
    expect([exit, err]).toEqual([0, '']);
    expect(out).toContain('Exit codes:');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  test.each([
    'check',
    'test',
    'tables',
    'due',
    'apply',
    'consent',
    'lineage edges',
    'lineage names',
    'plan',
    'erase',
    'scan',
    'properties',
    'register check',
    'register reapply',
    'evidence check',
  ])('lethe %s --help shows an example', async (command) => {
    const { exit, out } = await workspace.lethe(`${command} --help`);
    expect(exit).toBe(0);
    expect(out).toContain(`$ lethe ${command}`);
  });

  test.each(['nonsense', 'tables --nonsense', 'register', 'lineage nonsense'])(
    'lethe %s is wrong usage',
    async (command) => {
      const { exit, out, err } = await workspace.lethe(command);
      expect([exit, out]).toEqual([2, '']);
      expect(err).not.toBe('');
    },
  );
});
