import { join } from 'node:path';
import { checkEvidence, erasedRows, filterErased, type Register } from 'lethe';
import { eraseLearner } from '../erasure.ts';
import { crmExport, type Platform } from '../platform/index.ts';
import type { JobFacts, ReloadFacts } from './facts.ts';

const REQUEST = 'erasure-0001';

/** The whole job in one call, and its evidence checked as anybody can check it later. */
export async function jobFacts(platform: Platform, learner: number, register: Register): Promise<JobFacts> {
  const { tables, totals, digest } = await eraseLearner(platform, { learner, request: REQUEST, register });
  const check = await checkEvidence(join(platform.dir, 'evidence'));
  return {
    request: REQUEST,
    tables: tables.length,
    rowsDeleted: totals.rows,
    rowsKept: tables.reduce((sum, table) => sum + (table.action === 'keep' ? table.rowsCleared : 0), 0),
    filesRead: totals.filesRead,
    filesHolding: totals.filesHolding,
    notProven: totals.notProven,
    digest,
    evidenceHolds: check.bundles.length === 1 && check.problems.length === 0,
  };
}

/** The nightly reload from the application's export, the pipelines after it, and what the register says. */
export async function reloadFacts(platform: Platform, register: Register): Promise<ReloadFacts> {
  const { warehouse, governance } = platform;
  await warehouse.overwrite('crm.learners', crmExport());
  await platform.run('learner_activity');
  await platform.run('marketing_audience');
  const { tables } = await erasedRows(register, { warehouse, governance });
  const subject = governance.subjects.get('learner')!;
  return {
    back: tables.flatMap(({ table, rows }) => (rows > 0 ? [{ table, rows }] : [])),
    keptOutOfNextLoad: (await filterErased(register, crmExport(), { subject })).dropped,
  };
}
