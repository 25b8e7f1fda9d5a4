import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isClean } from '../../../src/erasure/index.ts';
import type { Warehouse } from '../../../src/warehouse/index.ts';
import { planOf } from '../../support/plan-of.ts';
import { eraseIn, PERSON, ROWS_LEFT, rowsOf } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const lake = lakeOfEachTest();

test('E4: a second job does not run beside the first, and another request waits for one that was cut off', async () => {
  const signal = AbortSignal.abort();
  await expect(eraseIn(lake, { signal })).rejects.toMatchObject({ code: 'erasure/stopped', kind: 'failed' });
  await expect(eraseIn(lake, { request: 'erasure-0002', ids: [2] })).rejects.toMatchObject({
    code: 'erasure/unfinished',
    data: { request: 'erasure-0001' },
  });
  await expect(eraseIn(lake, { ids: [2] })).rejects.toMatchObject({ code: 'erasure/other-people' });
  const other = planOf(lake.plan.steps.slice(1));
  await expect(eraseIn(lake, { plan: other })).rejects.toMatchObject({
    code: 'erasure/plan-changed',
    data: { changed: ['billing.payments'] },
  });
  expect(isClean(await eraseIn(lake))).toBe(true);
  expect(isClean(await eraseIn(lake, { request: 'erasure-0002', ids: [2] }))).toBe(true);
});

test('E3: a request that has ended takes no further people, and may be run again for its own', async () => {
  expect(isClean(await eraseIn(lake))).toBe(true);
  const before = await rowsOf(lake.warehouse);
  for (const dryRun of [true, false]) {
    const more = eraseIn(lake, { ids: [PERSON.id, 2], dryRun });
    await expect(more).rejects.toMatchObject({
      code: 'erasure/other-people',
      data: { request: 'erasure-0001' },
    });
  }
  expect(await rowsOf(lake.warehouse)).toEqual(before);
  expect(isClean(await eraseIn(lake))).toBe(true);
});

test('E2: what a table refuses once the job has begun is a failure part-way, and never "nothing was changed"', async () => {
  const link = join(lake.dir, 'warehouse/crm/learners/data/elsewhere');
  const jobs = {
    'analytics.counts': async (given: { readonly warehouse: Warehouse }) => {
      await lake.jobs['analytics.counts']!(given);
      await symlink('/etc/hostname', link);
    },
  };
  const error = await eraseIn(lake, { jobs }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'storage/outside', kind: 'failed' });
  expect(error.message.split(error.remedy)).toHaveLength(2);
  await rm(link);
  expect((await rowsOf(lake.warehouse))['crm.learners']).toEqual(ROWS_LEFT['crm.learners']);
  expect(isClean(await eraseIn(lake))).toBe(true);
});

test('a rebuild job that leaves its table as it was fails the erasure, which can be finished', async () => {
  const jobs = { 'analytics.counts': async () => {} };
  await expect(eraseIn(lake, { jobs })).rejects.toMatchObject({
    code: 'erasure/not-rebuilt',
    kind: 'failed',
  });
  const evidence = await eraseIn(lake);
  expect(evidence.totals.rows).toBe(3);
  expect(await rowsOf(lake.warehouse)).toEqual(ROWS_LEFT);
});

test('what a rebuild job throws may quote a row, so only its cause has it', async () => {
  const jobs = {
    'analytics.counts': async () => {
      throw new Error(`duplicate key: ${PERSON.email}`);
    },
  };
  const error = await eraseIn(lake, { jobs }).catch((thrown) => thrown);
  expect(error).toMatchObject({
    code: 'erasure/rebuild-failed',
    kind: 'failed',
    data: { table: 'analytics.counts' },
  });
  expect(error.message).not.toContain(PERSON.email);
});
