import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkEvidence } from '../../../src/erasure/index.ts';
import { eraseIn, PERSON } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const lake = lakeOfEachTest();

async function pipeInPlaceOf(file: string): Promise<void> {
  await rm(file);
  execFileSync('mkfifo', [file]);
}

test('E8: evidence says what was done and kept and why, and is chained and verified offline', async () => {
  const first = await eraseIn(lake, { clock: { now: () => Date.parse('2026-10-01T10:00:00Z') } });
  const second = await eraseIn(lake, { request: 'erasure-0002', ids: [2] });
  expect(first).toMatchObject({
    schemaVersion: 1,
    request: 'erasure-0001',
    minAge: '72h',
    planDigest: lake.plan.digest,
    finishedAt: '2026-10-01T10:00:00.000Z',
    register: [lake.register.hash('learner', [String(PERSON.id)])],
    copies: [],
    recipients: [],
    previous: null,
  });
  expect(first.tables[0]).toMatchObject({
    table: 'billing.payments',
    cleared: ['card_number'],
    rowsCleared: 2,
    reason: 'an obligation',
    decidedBy: 'legal team',
    deleteFilesLeft: 0,
  });
  // The snapshot before is a number past 2^53 written as text, and reading it was tried and refused.
  expect(first.tables[1]!.timeTravel).toMatchObject({
    snapshotId: first.tables[1]!.snapshotBefore,
    refused: true,
  });
  expect(second.previous).toBe(first.digest);
  const { bundles, problems } = await checkEvidence(lake.folders.evidence);
  expect(problems).toEqual([]);
  expect(bundles.map(({ digest }) => digest)).toEqual([first.digest, second.digest]);
});

test.each([
  [
    'changed',
    async (file: string) => writeFile(file, (await readFile(file, 'utf8')).replace('"rows":3', '"rows":4')),
  ],
  [
    'changed',
    async (file: string) =>
      writeFile(file, (await readFile(file, 'utf8')).replace(/}\s*$/, ',"__proto__":{"rows":4}}')),
  ],
  ['unreadable', async (file: string) => writeFile(file, '{')],
  ['unreadable', async (file: string) => pipeInPlaceOf(file)],
  ['gap', async (file: string) => rm(file)],
] as const)('E8: evidence that was tampered with is found: %s', async (code, tamper) => {
  await eraseIn(lake);
  const last = await eraseIn(lake, { request: 'erasure-0002', ids: [2] });
  await tamper(join(lake.folders.evidence, '000001.json'));
  expect((await checkEvidence(lake.folders.evidence)).problems.map((each) => each.code)).toContain(code);
  await rm(join(lake.folders.evidence, '000002.json'));
  expect(
    (await checkEvidence(lake.folders.evidence, { last: last.digest })).problems.map((each) => each.code),
  ).toContain('end-missing');
});

test('E8: a pipe in the place of evidence is named, and does not keep an erasure waiting for a writer', async () => {
  await eraseIn(lake);
  await pipeInPlaceOf(join(lake.folders.evidence, '000001.json'));
  await expect(eraseIn(lake, { request: 'erasure-0002', ids: [2] })).rejects.toMatchObject({
    code: 'evidence/unreadable',
  });
});

test('an erasure that could not be proved is not begun', async () => {
  const evidence = join(lake.dir, 'register.ndjson', 'evidence');
  await writeFile(join(lake.dir, 'register.ndjson'), '');
  await expect(eraseIn(lake, { evidence })).rejects.toMatchObject({
    code: 'evidence/unwritable',
    kind: 'input',
  });
  await mkdir(lake.folders.evidence);
  await writeFile(join(lake.folders.evidence, '000001.json'), '{');
  await expect(eraseIn(lake)).rejects.toMatchObject({ code: 'evidence/unreadable' });
  expect(await lake.register.entries()).toEqual([]);
});
