import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Int64, Table, vectorFromArray } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crmExport } from '../../../examples/platform/index.ts';
import { system } from '../../../src/cli/system.ts';
import { openIceberg } from '../../../src/index.ts';
import { printed, printedCount } from '../../support/chapter.ts';
import { runEvents } from '../../support/openlineage.ts';
import { platformWorkspace, type Workspace } from '../workspace.ts';

const ERASE = 'erase learner 3590 --request erasure-0001 --day 2026-10-01 --min-age 0';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await platformWorkspace();
});
afterAll(() => workspace.remove());

const warehouseOf = ({ dir }: Workspace) =>
  openIceberg({ catalog: { kind: 'directory', path: join(dir, 'warehouse') }, ...system });

/** The number of snapshots of each table: a change would show. */
async function snapshots(): Promise<readonly number[]> {
  const { document } = await workspace.json('tables');
  return document.tables.map((table: { snapshots: number }) => table.snapshots);
}

// One story, in the order of its steps: each test goes on from where the one before it ended.
describe('lethe erase', () => {
  test('refuses with both texts of the chapter, all tables named at once, and scans with the traces it carries', async () => {
    const warehouse = await warehouseOf(workspace);
    await warehouse.setProperties('crm.learners', { 'gc.enabled': 'false' }, {});
    await warehouse.setProperties('learning.events', { 'history.expire.min-snapshots-to-keep': '3' }, {});
    const before = await snapshots();
    const { exit, document } = await workspace.json(ERASE);
    const text = await workspace.lethe(ERASE);
    expect(exit).toBe(3);
    expect(document.refused.map(({ table }: { table: string }) => table).sort()).toEqual([
      'crm.learners',
      'learning.events',
    ]);
    for (const refusal of document.refused) {
      expect(refusal).toEqual({
        table: expect.any(String),
        code: expect.any(String),
        reason: printed('erasure-refuses-to-start', `the job refuses, because of ${refusal.table}`),
        remedy: expect.any(String),
      });
    }
    expect(document.scan.totals.holding).toBe(
      printedCount('erasure-refuses-to-start', 'files holding the learner'),
    );
    expect(text).toMatchObject({ exit: 3, out: expect.stringContaining('Refused; nothing was changed.') });
    expect(await snapshots()).toEqual(before);
    expect(await readdir(workspace.dir)).not.toContain('evidence');
    await warehouse.setProperties('crm.learners', { 'gc.enabled': 'true' }, {});
    await warehouse.setProperties('learning.events', { 'history.expire.min-snapshots-to-keep': '1' }, {});
    await warehouse.close();
  });

  test('says in a dry run what it would do, and changes nothing', async () => {
    const before = await snapshots();
    const { exit, document } = await workspace.json(`${ERASE} --dry-run`);
    expect(exit).toBe(0);
    expect(document).toMatchObject({
      dryRun: true,
      totals: { rows: printedCount('verify-erasure', 'rows deleted') },
    });
    const { out } = await workspace.lethe(`${ERASE} --dry-run`);
    expect(out).toContain('to clear card_number');
    expect(out).toContain('No evidence was written.');
    for (const line of out.split('\n')) expect([...line].length).toBeLessThanOrEqual(100);
    expect(await readdir(workspace.dir)).not.toContain('evidence');
    expect(await snapshots()).toEqual(before);
  });

  test('fails part-way when a rebuild job fails, keeps its output private, and goes on when run again', async () => {
    await workspace.edit('lethe.toml', (text) => text.replaceAll('pipelines/run.js', 'pipelines/gone.js'));
    const failed = await workspace.lethe(ERASE);
    expect(failed.exit).toBe(4);
    expect(failed.err).toContain('platform.course_performance ended with exit code 1');
    expect(failed.out + failed.err).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find/);
    const { exit: scanned } = await workspace.json('scan learner --request erasure-0001');
    expect(scanned).toBe(1);
    await workspace.edit('lethe.toml', (text) => text.replaceAll('pipelines/gone.js', 'pipelines/run.js'));

    const { exit, document } = await workspace.json(ERASE);
    expect(exit).toBe(0);
    expect(document).toMatchObject({
      schemaVersion: 1,
      request: 'erasure-0001',
      subject: 'learner',
      day: '2026-10-01',
      dryRun: false,
      totals: {
        rows: printedCount('verify-erasure', 'rows deleted'),
        filesHolding: printedCount('verify-erasure', 'files holding the learner'),
        notProven: 0,
      },
    });
    expect(document.tables).toHaveLength(printedCount('verify-erasure', 'tables visited'));
    const rebuilt = document.tables.filter(({ action }: { action: string }) => action === 'rebuild');
    expect(rebuilt.map(({ table }: { table: string }) => table).join(', ')).toBe(
      printed('verify-erasure', 'tables rebuilt'),
    );
    expect(await readdir(join(workspace.dir, '.lethe', 'jobs'))).toEqual([]);
  });

  test('leaves no trace of the person in what it printed or kept', async () => {
    const files = await readdir(join(workspace.dir, 'evidence'));
    const kept = await Promise.all(
      files.map((file) => readFile(join(workspace.dir, 'evidence', file), 'utf8')),
    );
    const register = await readFile(join(workspace.dir, 'register.ndjson'), 'utf8');
    expect(kept.join('') + register).not.toMatch(/alexa|\b3590\b/i);
  });

  test('its evidence verifies offline, and a changed one does not', async () => {
    expect(await workspace.json('evidence check')).toMatchObject({ exit: 0, document: { problems: [] } });
    const [file] = await readdir(join(workspace.dir, 'evidence'));
    await workspace.edit(`evidence/${file}`, (text) => text.replace('"rows":19', '"rows":18'));
    expect(await workspace.json('evidence check')).toMatchObject({
      exit: 1,
      document: { problems: [{ code: 'changed' }] },
    });
    await workspace.edit(`evidence/${file}`, (text) => text.replace('"rows":18', '"rows":19'));
  });

  test('a scan afterwards says that it had no texts to look for', async () => {
    const ran = await workspace.lethe('scan learner 3590');
    expect(ran.exit).toBe(0);
    expect(ran.out).toContain('no texts at all');
    expect(ran.out).toMatch(/in \d+ files, [\d,]+ bytes/);
    const { document } = await workspace.json('scan learner 3590');
    expect(document.searched).toMatchObject({ texts: 0 });
  });

  test('a scan for values kept elsewhere finds them where they are', async () => {
    const found = await workspace.json('scan learner --traces -', { stdin: 'zofia.haase@example.org\n' });
    expect(found.exit).toBe(1);
    expect(JSON.stringify(found.document)).not.toContain('zofia');
    const none = await workspace.json('scan learner --traces -', { stdin: 'ALEXA590@POST.EXAMPLE\n' });
    expect(none).toMatchObject({ exit: 0, document: { totals: { holding: 0 } } });
  });

  test('the register catches the learner whom a nightly reload brings back', async () => {
    expect(await workspace.json('register check')).toMatchObject({ exit: 0, document: { total: 0 } });
    const warehouse = await warehouseOf(workspace);
    await warehouse.overwrite('crm.learners', crmExport());
    await warehouse.close();
    const { exit, document } = await workspace.json('register check');
    expect(exit).toBe(1);
    expect(document.total).toBe(1);
    expect(document.tables.filter(({ rows }: { rows: number }) => rows > 0)).toEqual([
      expect.objectContaining({ table: 'crm.learners', rows: 1, requests: ['erasure-0001'] }),
    ]);
  });

  test('G2: the register looks at a copy of the id under another name, where lineage shows one', async () => {
    const warehouse = await warehouseOf(workspace);
    await warehouse.create('marketing.mailing', { columns: [{ name: 'recipient', type: 'long' }] });
    await warehouse.append(
      'marketing.mailing',
      new Table({ recipient: vectorFromArray([3590n, 3591n], new Int64()) }),
    );
    await warehouse.close();
    const copied = runEvents({
      job: 'mailing',
      output: 'marketing.mailing',
      columns: { recipient: ['crm.learners.learner_id'] },
    });
    await writeFile(
      join(workspace.dir, 'lineage', 'mailing.ndjson'),
      copied.map((event) => JSON.stringify(event)).join('\n'),
    );
    const { exit, document } = await workspace.json('register check');
    expect(exit).toBe(1);
    expect(document.tables).toContainEqual(
      expect.objectContaining({ table: 'marketing.mailing', rows: 1, requests: ['erasure-0001'] }),
    );
  });

  test('G2: reapply erases them again in every table, exits 1 for what is to be built again, and finds nobody the second time', async () => {
    const { exit, document } = await workspace.json('register reapply --min-age 0');
    expect(exit).toBe(1);
    expect(document).toMatchObject({
      requests: ['erasure-0001'],
      rebuild: ['analytics.course_performance'],
    });
    const rows = document.tables.map(({ table, rows }: { table: string; rows: number }) => [table, rows]);
    expect(Object.fromEntries(rows)).toMatchObject({ 'crm.learners': 1, 'marketing.mailing': 1 });
    expect((await workspace.json('register check')).document.total).toBe(0);
    expect(await workspace.lethe('register reapply')).toMatchObject({
      exit: 0,
      out: 'Nobody who was erased is back\n',
    });
  });

  test('a register with another key is an error, and never looks clean', async () => {
    const env = { LETHE_REGISTER_KEY: `hex:${'60'.repeat(32)}` };
    expect(await workspace.json('register check', { env })).toMatchObject({
      exit: 2,
      document: { error: { code: 'register/wrong-key' } },
    });
    const missing = await workspace.json('register check', { env: { LETHE_REGISTER_KEY: '' } });
    expect(missing).toMatchObject({ exit: 2, document: { error: { code: 'cli/no-key' } } });
  });

  test.each([
    ['erase learner --request r --day 2026-10-01', 'cli/no-ids'],
    ['erase learner x --request r --day 2026-10-01', 'erasure/id-type'],
    ['erase nobody 1 --request r --day 2026-10-01', 'plan/no-such-subject'],
    ['erase learner 1 --request r --day 2026-10-01 --min-age soon', 'cli/duration'],
    ['erase learner 1 --day 2026-10-01', 'cli/usage'],
  ])('lethe %s is refused as usage, before anything is changed', async (command, code) => {
    const before = await snapshots();
    expect(await workspace.json(command)).toMatchObject({ exit: 2, document: { error: { code } } });
    expect(await snapshots()).toEqual(before);
  });
});
