import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { bindPlan, type Evidence, erase, openRegister, planErasure, type Register } from 'lethe';
import type { BoundPlan, BoundStep, Plan } from 'lethe/erasure';
import { system } from 'lethe/system';
import type { RowWork } from 'lethe/warehouse';
import { TODAY } from './notebook.ts';
import type { Platform } from './platform/index.ts';

/** The plan for one kind of person, from what the platform's files, events and tables say now. */
export async function planFor({ warehouse, governance, lineage }: Platform, subject: string): Promise<Plan> {
  const tables = await Promise.all((await warehouse.list()).map((table) => warehouse.describe(table)));
  return planErasure({ governance, lineage: await lineage(), tables, subject });
}

/** The same plan bound to one learner. */
export async function planForLearner(platform: Platform, learner: number): Promise<BoundPlan> {
  const { warehouse, governance } = platform;
  return bindPlan({ plan: await planFor(platform, 'learner'), ids: [learner], warehouse, governance });
}

/** A register of erasures beside the platform's tables, with a key of this run only; a real one is kept as a secret. */
export function exampleRegister({ dir }: Platform): Promise<Register> {
  const key = `hex:${randomBytes(32).toString('hex')}`;
  return openRegister({ path: join(dir, 'register.ndjson'), keys: { example: key }, current: 'example' });
}

export interface ExampleErasure {
  readonly learner: number;
  readonly request: string;
  readonly register?: Register;
}

/** The whole erasure job. One process writes these tables, so that no file is too young to remove. */
export async function eraseLearner(
  platform: Platform,
  { learner, request, register }: ExampleErasure,
): Promise<Evidence> {
  const { dir, warehouse, governance, jobs } = platform;
  return erase({
    warehouse,
    governance,
    lineage: await platform.lineage(),
    subject: 'learner',
    ids: [learner],
    request,
    day: TODAY,
    minAgeMs: 0,
    register: register ?? (await exampleRegister(platform)),
    state: join(dir, '.lethe'),
    evidence: join(dir, 'evidence'),
    jobs,
    clock: system.clock,
  });
}

/**
 * Carries out only the deletes of a plan, without anything that comes after them: what a job would leave that stops where
 * many stop. `erase` is the whole job; the examples use this to show why the rest of it is needed.
 */
export async function deleteOnly(
  bound: BoundPlan,
  { warehouse, jobs }: Platform,
  request: string,
): Promise<ReadonlyMap<string, number | 'rebuilt'>> {
  const note = { 'erasure-request': request };
  const done = new Map<string, number | 'rebuilt'>();
  for (const each of bound.steps) {
    const { table, action } = each.step;
    if (action === 'rebuild') {
      await jobs[table]!();
      done.set(table, 'rebuilt');
    } else {
      done.set(table, (await warehouse.change(table, workOf(each), note)).rowsDeleted);
    }
  }
  return done;
}

function workOf({ step, where }: BoundStep): RowWork {
  const rows = where.reveal();
  if (step.action === 'keep') return { clear: { where: rows, columns: step.clear }, physically: true };
  return { delete: rows, physically: true };
}
