import { minAgeOf } from '../../governance/min-age.ts';
import { readableTables } from '../../warehouse/readable-tables.ts';
import type { BoundStep } from '../bound-plan.ts';
import { rowsOf } from './change-rows.ts';
import { isTouched } from './check-tables.ts';
import type { Evidence } from './evidence.ts';
import type { EraseOptions } from './options.ts';
import { unchanged } from './plan-since.ts';
import { planOf, prepare } from './prepare.ts';
import { prove } from './prove.ts';
import { checkName } from './request.ts';
import { seal } from './seal.ts';
import type { TableWork } from './survey.ts';

/** What the job would do: the same document, read from the tables as they are. Nothing is changed or written. */
export async function foretell(options: EraseOptions): Promise<Evidence> {
  const { warehouse } = options;
  const reading = readableTables(warehouse);
  const plan = await planOf(options, reading);
  const prepared = await prepare(options, { plan, reading });
  checkName(options, prepared);
  const works = new Map<string, TableWork>();
  for (const bound of prepared.bound.steps.filter(({ step }) => isTouched(step))) {
    const { table } = bound.step;
    const counts = await rowsOf(bound, (where) => warehouse.count(table, where));
    works.set(table, {
      ...counts,
      before: (await reading.describe(table)).currentSnapshotId,
      versions: null,
    });
  }
  const workOn = ({ step }: BoundStep): TableWork =>
    works.get(step.table) ?? { rows: 0, rowsCleared: 0, before: null, versions: null };
  const minAgeMs = minAgeOf(options);
  const since = unchanged(plan);
  return seal(
    await prove(options, { ...prepared, minAgeMs, young: [], workOn, since, changed: false }),
    null,
  );
}
