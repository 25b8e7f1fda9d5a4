import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GovernanceError, loadGovernance, parseGovernance } from '../../src/governance/index.ts';
import { sharedPath, sharedReason } from '../support/shared.ts';

const fixture = new URL('../fixtures/governance/chapter.toml', import.meta.url);

describe('the chapter’s own TOML', () => {
  test('loads unchanged', async () => {
    const governance = parseGovernance({ 'retention.toml': await readFile(fixture, 'utf8') });
    expect([...governance.retention]).toMatchObject([
      [
        'support.tickets',
        [
          {
            keep: { days: 730 },
            countedFrom: 'opened_at',
            timeZone: 'UTC',
            onlyWhen: {
              kind: 'compare',
              column: 'status',
              op: '=',
              value: { type: 'text', value: 'closed' },
            },
            at: { file: 'retention.toml', line: 5, column: 9 },
          },
        ],
      ],
      ['learning.events', [{ keep: { days: 365 }, countedFrom: 'occurred_at' }]],
      ['billing.payments', [{ keep: { days: 3650 }, countedFrom: 'paid_at' }]],
    ]);
    expect(governance.exceptions.get('billing.payments')).toMatchObject({
      decidedBy: 'legal team',
      eraseColumns: [{ column: 'card_number', with: { kind: 'null' } }],
      covers: [],
    });
  });

  const chapter = sharedPath('seeds', '004_6f1b07a55b289744.txt');
  test.skipIf(chapter === null)(`is what the fixture holds (or ${sharedReason('seeds')})`, async () => {
    const text = await readFile(chapter!, 'utf8');
    const blocks = [...text.matchAll(/```toml\n([\s\S]*?)```/g)].map(([, block]) => block!.trim());
    const ours = await readFile(fixture, 'utf8');
    for (const block of blocks) expect(ours).toContain(block);
    expect(blocks).toHaveLength(2);
  });

  test('what is absent has its defaults', async () => {
    const governance = parseGovernance({ 'retention.toml': '' });
    expect(governance).toMatchObject({
      snapshots: { maxAgeDays: 5, minToKeep: 1 },
      files: { minAgeHours: 72 },
      statistics: { personal: 'none', sensitive: 'none', unclassified: 'none' },
      names: { datasets: [], patterns: [], ignored: [], readers: [] },
    });
    expect(governance.subjects.size + governance.metadata.size + governance.purposes.size).toBe(0);
  });
});

test('everything that the files can say', () => {
  const governance = parseGovernance({
    'retention.toml': `
[[tables."billing.payments"]]
keep = "P10Y"
counted_from = "paid_at"
counted_from_end_of = "year"
time_zone = "Europe/Berlin"
errs = "late"
[[tables."billing.payments"]]
keep_days = 30
counted_from = "text"
format = "dd-MM-yyyy"
only_when = { all = [{ column = "state", in = ["void", "refused"] }, { any = [{ column = "n", equals = 9007199254740993 }, { column = "at", is_null = true }] }, { column = "x", is_null = false }] }
[snapshots]
max_age_days = 2
min_to_keep = 3
metadata_versions_to_keep = 10
[files]
min_age_hours = 1.5
[statistics]
personal = "counts"
sensitive = "truncate(8)"
[erasure.subjects.learner]
id_type = "uuid"
id_columns = ["learner_id", ["school", "number"]]
identifying = ["crm.learners.email", "crm.learners.address.street", { table = "crm.other", column = "a.b" }]
[erasure.subjects.nobody]
id_type = "int"
id_columns = ["x"]
identifying = []
[erasure.exceptions."billing.payments"]
reason = "tax"
decided_by = "legal"
erase_columns = ["card", { column = "payer", with = "redacted" }, { column = "ref", with = { token = true } }, { column = "n", with = 0 }]
legal_basis = "GDPR 17(3)(b)"
review_by = 2027-06-30
subjects = ["learner"]
covers = ["billing.copy"]
[erasure.decisions."analytics.legacy_export"]
answers = ["cast-key", "branch-or-tag"]
action = "delete"
by = ["learner_id"]
refs = { q4 = "drop" }
reason = "r"
decided_by = "d"
`,
    'metadata.toml': `
[tables."crm.learners"]
owner = "crm team"
key = ["learner_id"]
[tables."crm.learners".columns]
learner_id = "internal"
"address.street" = "personal"
payer_id = { classification = "internal", identifies = "learner" }
`,
    'consent.toml': `
[purposes.marketing_email]
subject = "learner"
table = "crm.learners"
attribute = "marketing_consent"
also = { column = "status", equals = "active" }
records = "crm.consents"
grounds_for_erasure = true
`,
    'lineage.toml': `
[datasets]
"postgres://db:5432 app.public.users" = "crm.users"
[[patterns]]
namespace = "s3://lake"
name = "warehouse/{schema}.db/{table}"
table = "{schema}.{table}"
[sources]
"crm.*" = "loaded by the CRM sync"
[ignored]
"kafka://* clicks" = "a topic, in copies.toml"
[[readers]]
name = "bi.*"
reason = "reads, keeps nothing"
`,
    'copies.toml': 'anything = "for later"',
  });
  const [first, second] = governance.retention.get('billing.payments')!;
  expect(first).toMatchObject({
    keep: { period: { years: 10 } },
    countedFromEndOf: 'year',
    timeZone: 'Europe/Berlin',
    errs: 'late',
  });
  expect(second!.format).toBe('dd-MM-yyyy');
  expect(second!.onlyWhen).toEqual({
    kind: 'and',
    of: [
      {
        kind: 'in',
        column: 'state',
        values: [
          { type: 'text', value: 'void' },
          { type: 'text', value: 'refused' },
        ],
      },
      {
        kind: 'or',
        of: [
          { kind: 'compare', column: 'n', op: '=', value: { type: 'long', value: '9007199254740993' } },
          { kind: 'is-null', column: 'at' },
        ],
      },
      { kind: 'not', of: { kind: 'is-null', column: 'x' } },
    ],
  });
  expect(governance.snapshots).toEqual({ maxAgeDays: 2, minToKeep: 3, metadataVersionsToKeep: 10 });
  expect(governance.files.minAgeHours).toBe(1.5);
  expect(governance.statistics).toEqual({
    personal: 'counts',
    sensitive: 'truncate(8)',
    unclassified: 'none',
  });
  expect(governance.subjects.get('learner')).toMatchObject({
    idType: 'uuid',
    idColumns: [['learner_id'], ['school', 'number']],
    identifying: [
      { table: 'crm.learners', column: 'email' },
      { table: 'crm.learners', column: 'address.street' },
      { table: 'crm.other', column: 'a.b' },
    ],
  });
  expect(governance.exceptions.get('billing.payments')).toMatchObject({
    eraseColumns: [
      { column: 'card', with: { kind: 'null' } },
      { column: 'payer', with: { kind: 'constant', value: 'redacted' } },
      { column: 'ref', with: { kind: 'token' } },
      { column: 'n', with: { kind: 'constant', value: '0' } },
    ],
    legalBasis: 'GDPR 17(3)(b)',
    reviewBy: '2027-06-30',
    subjects: ['learner'],
    covers: ['billing.copy'],
  });
  expect(governance.decisions.get('analytics.legacy_export')![0]).toMatchObject({
    answers: ['cast-key', 'branch-or-tag'],
    action: 'delete',
    by: ['learner_id'],
    refs: new Map([['q4', 'drop']]),
  });
  expect(governance.metadata.get('crm.learners')!.columns.get('payer_id')).toEqual({
    classification: 'internal',
    identifies: 'learner',
    at: { file: 'metadata.toml', line: 8, column: 1 },
  });
  expect(governance.purposes.get('marketing_email')).toMatchObject({
    records: 'crm.consents',
    groundsForErasure: true,
  });
  expect(governance.names).toMatchObject({
    datasets: [{ namespace: 'postgres://db:5432', name: 'app.public.users', table: 'crm.users' }],
    patterns: [{ namespace: 's3://lake', table: '{schema}.{table}' }],
    sources: new Map([['crm.*', 'loaded by the CRM sync']]),
    ignored: [{ namespace: 'kafka://*', name: 'clicks' }],
    readers: [{ name: 'bi.*' }],
  });
});

test('names that JavaScript knows are names like others', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', "'; drop", '%', '👩‍🎓', 'a"b'];
  const toml = names
    .map((name) => `[tables.${JSON.stringify(name)}]\nkeep_days = 1\ncounted_from = "d"\n`)
    .join('');
  expect([...parseGovernance({ 'retention.toml': toml }).retention.keys()]).toEqual(names);
});

describe('a folder', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lethe-governance-'));
  });
  afterEach(async () => {
    await rm(dir, { recursive: true });
  });

  test('is read, and places name its files', async () => {
    await writeFile(join(dir, 'retention.toml'), await readFile(fixture, 'utf8'));
    await writeFile(
      join(dir, 'metadata.toml'),
      '\ufeff[tables."crm.learners".columns]\r\nemail = "personal"\r\n',
    );
    const governance = await loadGovernance(dir);
    expect(governance.metadata.get('crm.learners')!.columns.get('email')!.at).toEqual({
      file: join(dir, 'metadata.toml'),
      line: 2,
      column: 1,
    });
  });

  test('without retention.toml, and with a file whose name is nearly right, has two faults', async () => {
    await writeFile(join(dir, 'retentions.toml'), '');
    await writeFile(join(dir, 'lethe.toml'), '');
    const failed = loadGovernance(dir);
    await expect(failed).rejects.toBeInstanceOf(GovernanceError);
    await expect(failed).rejects.toMatchObject({
      kind: 'input',
      faults: [
        { code: 'governance/missing-file', file: join(dir, 'retention.toml') },
        { code: 'governance/unknown-file', nearest: 'retention.toml' },
      ],
    });
  });

  test('whose retention.toml is no file, or leads nowhere, is an error that names it', async () => {
    const path = join(dir, 'retention.toml');
    const makers: readonly (() => unknown)[] = [
      () => execFileSync('mkfifo', [path]),
      () => mkdir(path),
      () => symlink('/dev/zero', path),
      () => symlink(path, path),
      () => symlink(join(dir, 'nowhere'), path),
    ];
    for (const make of makers) {
      await make();
      await expect(loadGovernance(dir), make.toString()).rejects.toMatchObject({
        code: 'governance/unreadable',
        data: { path },
      });
      await rm(path, { recursive: true });
    }
  });

  test('that is not there is an error of its own', async () => {
    await writeFile(join(dir, 'file'), '');
    for (const name of ['nowhere', 'file'])
      await expect(loadGovernance(join(dir, name))).rejects.toMatchObject({ code: 'governance/no-folder' });
  });
});
