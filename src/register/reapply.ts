import { type Binding, tryBind } from '../erasure/bind.ts';
import type { BoundStep } from '../erasure/bound-plan.ts';
import type { Plan } from '../erasure/plan/plan.ts';
import type { StepRefusal } from '../erasure/refusal.ts';
import { RefusedError } from '../errors.ts';
import type { Governance } from '../governance/governance.ts';
import { minAgeOf } from '../governance/min-age.ts';
import type { RowWork, Warehouse } from '../warehouse/warehouse.ts';
import { type FoundIds, findErased, type LookIn } from './find-erased.ts';
import type { Register } from './register.ts';

export interface ReapplyOptions {
  readonly register: Register;
  readonly warehouse: Warehouse;
  readonly governance: Governance;
  /** Find the copies that lineage knows, too, one for each subject; without them only tables with id columns are looked at. */
  readonly plans?: readonly Plan[];
  /** Files that no metadata names are removed from this age on, in milliseconds; `[files]` of the governance if left out. */
  readonly minAgeMs?: number;
}

export interface Reapplied {
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly rowsCleared: number }[];
  readonly requests: readonly string[];
  /** Tables of the plan that hold what the rows shaped: to be rebuilt by their jobs. */
  readonly rebuild: readonly string[];
}

/** What is to be done to one table for one kind of subject. */
interface Work {
  readonly table: string;
  readonly subject: string;
  readonly work: RowWork;
}

/**
 * Deletes erased people again after a restore or a reload (rule G2), in the same way: rows deleted, kept rows cleared, the
 * commits scrubbed, old snapshots expired with their files. Every table is checked before the first change.
 *
 * Throws a {@link RefusedError} `register/reapply-refused` with all tables that stand in the way, and `governance/min-age`. What a restored copy
 * holds under a key that only its source's rows lead to is found where those rows came back too.
 */
export async function reapply(options: ReapplyOptions): Promise<Reapplied> {
  const { register, warehouse, governance, plans = [] } = options;
  const minAgeMs = minAgeOf(options);
  const look: LookIn = { warehouse, governance, plans };
  const erased = await register.erased();
  const found: FoundIds[] = [];
  for (const table of await warehouse.list()) {
    for (const each of await findErased(table, look, erased)) {
      // Ids in kept rows are expected: only rows that hold what was cleared are back.
      if (each.hits > 0 && (await warehouse.count(table, each.where.reveal())) > 0) found.push(each);
    }
  }
  const requests = [...new Set(found.flatMap((each) => each.requests))].sort();
  const bindings: Binding[] = [];
  for (const plan of plans) bindings.push(...(await bindFound({ plan, found, warehouse, governance })));
  const works = worksOf(found, bindings);
  await check(warehouse, works, bindings);
  const note = { 'erasure-request': requests.join(',') };
  const tables: Reapplied['tables'][number][] = [];
  for (const table of new Set(works.map((each) => each.table))) {
    let [rows, rowsCleared] = [0, 0];
    for (const { work } of works.filter((each) => each.table === table)) {
      const changed = await warehouse.change(table, work, note);
      rows += changed.rowsDeleted;
      rowsCleared += changed.rowsCleared;
    }
    await warehouse.scrub(table, note);
    await warehouse.expire(table, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' });
    await warehouse.sweep(table, { minAgeMs });
    tables.push({ table, rows, rowsCleared });
  }
  const rebuild = new Set(
    bindings.flatMap(({ bound }) =>
      bound.plan.steps.filter(({ action }) => action === 'rebuild').map(({ table }) => table),
    ),
  );
  return { tables, requests, rebuild: [...rebuild] };
}

/** The plan for the people of its subject who came back; none where nobody of them did. */
async function bindFound(options: {
  readonly plan: Plan;
  readonly found: readonly FoundIds[];
  readonly warehouse: Warehouse;
  readonly governance: Governance;
}): Promise<readonly Binding[]> {
  const { plan, found, warehouse, governance } = options;
  const ids = found
    .filter((each) => each.place.subject.name === plan.subject)
    .flatMap((each) => each.ids.reveal());
  return ids.length === 0 ? [] : [await tryBind({ plan, ids, warehouse, governance })];
}

/** What the plans do with the tables of their people, and for all other places what was found there. */
function worksOf(found: readonly FoundIds[], bindings: readonly Binding[]): readonly Work[] {
  const planned = bindings.flatMap(({ bound }) =>
    bound.steps.flatMap((step): Work[] => {
      const work = plannedWork(step);
      return work === null ? [] : [{ table: step.step.table, subject: bound.plan.subject, work }];
    }),
  );
  const others = found.filter(
    ({ place }) =>
      !planned.some(({ table, subject }) => table === place.table && subject === place.subject.name),
  );
  return [
    ...planned,
    ...others.map((each) => ({
      table: each.place.table,
      subject: each.place.subject.name,
      work: workIn(each),
    })),
  ];
}

/** What a plan does to the rows of its own people; null where it changes nothing in the table itself. */
function plannedWork({ step, where, clears }: BoundStep): RowWork | null {
  const { action, clear: columns } = step;
  if (action !== 'delete' && columns.length === 0) return null;
  return {
    ...(action === 'delete' && { delete: where.reveal() }),
    ...(columns.length > 0 && { clear: { where: (clears ?? where).reveal(), columns } }),
    physically: true,
  };
}

function workIn({ place, where }: FoundIds): RowWork {
  const rows = where.reveal();
  return {
    ...(place.kept === null ? { delete: rows } : { clear: { where: rows, columns: place.kept } }),
    physically: true,
  };
}

async function check(
  warehouse: Warehouse,
  works: readonly Work[],
  bindings: readonly Binding[],
): Promise<void> {
  const refusals: StepRefusal[] = bindings.flatMap((binding) => binding.refusals);
  for (const step of bindings.flatMap(({ bound }) => bound.plan.steps)) {
    if (step.action !== 'review') continue;
    refusals.push({
      table: step.table,
      code: 'review',
      reason: step.why,
      remedy: 'Decide in [erasure.decisions]',
    });
  }
  for (const { table } of works) {
    const description = await warehouse.describe(table);
    refusals.push(...description.refusals.map((refusal) => ({ table, ...refusal })));
  }
  if (refusals.length === 0) return;
  throw new RefusedError(
    'register/reapply-refused',
    `They are not erased again: ${refusals.map(({ table, reason }) => `${table}: ${reason}`).join('; ')}`,
    {
      remedy: 'Put each in order, then run it again: nothing has changed',
      data: { tables: refusals },
    },
  );
}
