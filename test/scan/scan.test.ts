import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  makeTraces,
  noteTraces,
  type ScanProgress,
  type ScanReport,
  scan,
  type Traces,
} from '../../src/scan/index.ts';
import { temporaryFolder } from './support/folder.ts';
import { type Lake, makeLake, PERSON } from './support/lake.ts';
import { id, long, text } from './support/sought.ts';

const folder = temporaryFolder();

/** Erased as a job would: rows deleted, cards cleared, manifests scrubbed, snapshots expired. */
async function erased(lake: Lake): Promise<Traces> {
  const bound = await lake.bind();
  const traces = await noteTraces({ ...lake, bound });
  const { warehouse } = lake;
  for (const { step, where } of bound.steps) {
    const work =
      step.action === 'delete'
        ? { delete: where.reveal(), physically: true }
        : { clear: { where: where.reveal(), columns: step.clear } };
    await warehouse.change(step.table, work, {});
    await warehouse.scrub(step.table, {});
    await warehouse.expire(step.table, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' });
  }
  return traces;
}

const dataFile = (lake: Lake, table: string): string => {
  const at = join(lake.root, ...table.split('.'));
  return join(
    at,
    readdirSync(at, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.parquet'))!,
  );
};

const kinds = (report: ScanReport): readonly string[] =>
  [...new Set(report.tables.flatMap(({ found }) => found.map(({ kind }) => kind)))].sort();

describe('scan', () => {
  test('finds the person in data, footers and bounds before an erasure, and nothing after it', async () => {
    const lake = await makeLake(folder);
    const bound = await lake.bind();
    const before = await scan({ ...lake, traces: await noteTraces({ ...lake, bound }) });
    expect(kinds(before)).toEqual(['bound', 'data', 'footer']);
    expect(before.totals).toMatchObject({ notProven: 0, shared: 0 });
    expect(before.tables.filter(({ holding }) => holding > 0).map(({ table }) => table)).toEqual([
      'ai.corpus',
      'billing.payments',
      'crm.learners',
      'learning.reviews',
    ]);
    const traces = await erased(lake);
    const after = await scan({ ...lake, traces });
    expect(after.totals).toMatchObject({ holding: 0, notProven: 0, shared: 0 });
    expect(after.searched).toEqual({ ids: 2, texts: 4 });
    const files = readdirSync(lake.root, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(after.totals.files).toBe(files.length);
    expect(after.totals.bytes).toBeGreaterThan(0);
  });

  test('finds a stray copy in a sibling folder, under an unknown suffix, inside and beside tables', async () => {
    const lake = await makeLake(folder);
    const copies = {
      'crm.learners': [
        'backup/learners.parquet',
        'crm/learners/data/_old.parquet~1',
        'crm/learners_copy/x.bin',
        'export',
      ],
      'ai.corpus': ['scratch/corpus.tmp'],
      'billing.payments': ['scratch/payments.bak'],
    };
    for (const [table, places] of Object.entries(copies)) {
      for (const place of places) {
        mkdirSync(dirname(join(lake.root, place)), { recursive: true });
        cpSync(dataFile(lake, table), join(lake.root, place));
      }
    }
    const traces = await erased(lake);
    const report = await scan({ ...lake, traces });
    expect(report.totals).toMatchObject({ holding: 6, notProven: 0 });
    const found = new Map(
      report.tables.filter(({ holding }) => holding > 0).map(({ table, holding }) => [table, holding]),
    );
    expect(found).toEqual(
      new Map([
        ['crm.learners', 1],
        [join(lake.root, 'backup'), 1],
        [join(lake.root, 'crm/learners_copy'), 1],
        [join(lake.root, 'scratch'), 2],
        [lake.root, 1],
      ]),
    );
  });

  test('E3: shows no value of the person, in paths and names neither', async () => {
    const lake = await makeLake(folder);
    const traces = await erased(lake);
    const place = join(
      lake.root,
      'exports',
      `email=${encodeURIComponent(PERSON.email)}`,
      `for ${PERSON.name}`,
    );
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'learner_id=3590.csv'), `a,${PERSON.phone}\n`);
    mkdirSync(join(lake.root, 'exports', 'learner_id=3590'));
    writeFileSync(join(lake.root, 'exports', 'learner_id=3590', 'x.csv'), 'nothing');
    const steps: ScanProgress[] = [];
    const report = await scan({ ...lake, traces, progress: (step) => steps.push(step) });
    expect(report.totals.holding).toBe(2);
    expect(kinds(report)).toEqual(['other', 'path']);
    const shown = JSON.stringify([report, steps, traces]);
    expect(shown).not.toMatch(/3590|haase|zoë|zo%C3|1234567/i);
    expect(report.tables.map(({ table }) => table)).toContain(join(lake.root, 'exports/email=***/for ***'));
    expect(report.tables.map(({ table }) => table)).toContain(join(lake.root, 'exports/learner_id=***'));
    expect(steps.at(-1)).toMatchObject({ filesDone: report.totals.files, files: report.totals.files });
  });

  test('E3: a person who is part of the path to the warehouse is no finding there', async () => {
    const lake = await makeLake(folder);
    const traces = makeTraces({ subject: 'learner', texts: [text('lake-')], ids: [] });
    expect((await scan({ ...lake, traces })).totals.holding).toBeGreaterThanOrEqual(0);
    expect(
      (await scan({ ...lake, traces })).tables.flatMap(({ found }) =>
        found.filter(({ where }) => where === 'its own path'),
      ),
    ).toEqual([]);
  });

  test('S5: what cannot be read is not proven, table by table, and does not stop the scan', async () => {
    const lake = await makeLake(folder);
    const traces = await erased(lake);
    const data = dataFile(lake, 'learning.reviews');
    writeFileSync(data, readFileSync(data).subarray(0, -3));
    writeFileSync(join(lake.root, 'support', 'tickets', 'part.orc'), 'ORC…');
    const report = await scan({ ...lake, traces });
    expect(report.totals).toMatchObject({ holding: 0, notProven: 2 });
    const unread = new Map(
      report.tables.filter(({ unread }) => unread.length > 0).map((each) => [each.table, each.unread]),
    );
    expect(unread.get('learning.reviews')).toEqual([
      { file: data, why: 'the Parquet file has no footer: it is cut short or damaged' },
    ]);
    expect(unread.get('support.tickets')).toMatchObject([{ why: 'it is ORC, which cannot be read' }]);
  });

  test('S5: a table whose metadata is damaged is not proven, and its files are still searched', async () => {
    const lake = await makeLake(folder);
    const bound = await lake.bind();
    const traces = await noteTraces({ ...lake, bound });
    const metadata = join(lake.root, 'crm', 'learners', 'metadata');
    for (const name of readdirSync(metadata).filter((each) => each.endsWith('.json'))) {
      writeFileSync(join(metadata, name), readFileSync(join(metadata, name)).subarray(0, 200));
    }
    const report = await scan({ ...lake, traces });
    expect(report.totals.notProven).toBeGreaterThan(0);
    expect(report.tables.filter(({ holding }) => holding > 0).map(({ table }) => table)).toContain(
      join(lake.root, 'crm/learners/data'),
    );
  });

  test('S2: a kept table may hold ids, and must not hold texts', async () => {
    const lake = await makeLake(folder);
    const report = await scan({ ...lake, traces: await noteTraces({ ...lake, bound: await lake.bind() }) });
    const payments = report.tables.find(({ table }) => table === 'billing.payments')!;
    expect(
      [...new Set(payments.found.map(({ where }) => where))].filter((where) => where.includes('learner_id')),
    ).toEqual([]);
    expect(payments.found.map(({ where }) => where)).toContain('column card');
  });

  test('S3: a file with shared traces only is counted as shared, and does not hold the person', async () => {
    const lake = await makeLake(folder, {
      more: {
        'crm.learners': [
          { learner_id: 7, full_name: PERSON.name, email: 'x@y.org', phone: null, born: null },
        ],
      },
    });
    const report = await scan({ ...lake, traces: await erased(lake) });
    expect(report.totals.holding).toBe(0);
    expect(report.totals.shared).toBeGreaterThan(0);
    expect(report.tables.flatMap(({ found }) => found).every(({ shared }) => shared)).toBe(true);
  });

  test('without texts and ids it still reads, and says that it sought nothing', async () => {
    const lake = await makeLake(folder);
    const report = await scan({ ...lake, traces: makeTraces({ subject: 'learner', texts: [], ids: [] }) });
    expect(report.searched).toEqual({ ids: 0, texts: 0 });
    expect(report.totals).toMatchObject({ holding: 0, notProven: 0 });
  });

  test('a file that metadata names outside of every folder is read, or not proven where the storage may not go', async () => {
    const lake = await makeLake(folder);
    const metadata = join(lake.root, 'crm', 'learners', 'metadata', 'extra.metadata.json');
    const outside = join(folder, 'elsewhere.avro');
    writeFileSync(outside, 'anything');
    writeFileSync(
      metadata,
      JSON.stringify({
        'format-version': 2,
        snapshots: [{ 'manifest-list': outside }, { 'manifest-list': join(folder, 'gone.avro') }],
      }),
    );
    const traces = makeTraces({ subject: 'learner', texts: [], ids: [id('learner_id', long(-1))] });
    const { unread } = (await scan({ ...lake, traces })).tables.find(
      ({ table }) => table === 'crm.learners',
    )!;
    expect(unread.map(({ file }) => file)).toContain(outside);
    rmSync(metadata);
  });

  test('hidden files and links to files are read', async () => {
    const lake = await makeLake(folder);
    const traces = await erased(lake);
    writeFileSync(join(lake.root, '.hidden'), PERSON.phone);
    symlinkSync(join(lake.root, '.hidden'), join(lake.root, 'crm', '_link'));
    expect((await scan({ ...lake, traces })).totals.holding).toBe(2);
  });
});
