import { type Binding, tryBind } from '../erasure/bind.ts';
import type { Plan } from '../erasure/plan/plan.ts';
import type { StepRefusal } from '../erasure/refusal.ts';
import { RefusedError } from '../errors.ts';
import type { Governance } from '../governance/governance.ts';
import { minAgeOf } from '../governance/min-age.ts';
import { or } from '../predicate/index.ts';
import type { RowWork, Warehouse } from '../warehouse/warehouse.ts';
import { type FoundIds, findErased, type LookIn } from './find-erased.ts';
import type { Register } from './register.ts';

export interface ReapplyOptions {
  readonly register: Register;
  readonly warehouse: Warehouse;
  readonly governance: Governance;
  /** Finds the copies that lineage knows, too; without it only tables with id columns are looked at. */
  readonly plan?: Plan;
  /** Files that no metadata names are removed from this age on, in milliseconds; `[files]` of the governance if left out. */
  readonly minAgeMs?: number;
}

export interface Reapplied {
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly rowsCleared: number }[];
  readonly requests: readonly string[];
  /** Tables of the plan that hold what the rows shaped: to be rebuilt by their jobs. */
  readonly rebuild: readonly string[];
}

/** What is to be done to one table. */
interface Work {
  readonly table: string;
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
  const { register, warehouse, governance, plan } = options;
  const minAgeMs = minAgeOf(options);
  const look: LookIn = { warehouse, governance, plans: plan === undefined ? [] : [plan] };
  const erased = await register.erased();
  const found: FoundIds[] = [];
  for (const table of await warehouse.list()) {
    for (const each of await findErased(table, look, erased)) {
      // Ids in kept rows are expected: only rows that hold what was cleared are back.
      if (each.hits > 0 && (await warehouse.count(table, each.where.reveal())) > 0) found.push(each);
    }
  }
  const requests = [...new Set(found.flatMap((each) => each.requests))].sort();
  const binding = await bindFound({ found, warehouse, governance, plan });
  const works = worksOf(found, binding);
  await check(warehouse, works, binding);
  const tables: Reapplied['tables'][number][] = [];
  for (const { table, work } of works) {
    const note = { 'erasure-request': requests.join(',') };
    const changed = await warehouse.change(table, work, note);
    await warehouse.scrub(table, note);
    await warehouse.expire(table, { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' });
    await warehouse.sweep(table, { minAgeMs });
    tables.push({ table, rows: changed.rowsDeleted, rowsCleared: changed.rowsCleared });
  }
  const rebuild = (binding?.bound.plan.steps ?? []).flatMap((step) =>
    step.action === 'rebuild' ? [step.table] : [],
  );
  return { tables, requests, rebuild };
}

/** The plan for the people who came back; null where there is none, or none of its subject came back. */
async function bindFound(options: {
  found: readonly FoundIds[];
  warehouse: Warehouse;
  governance: Governance;
  plan: Plan | undefined;
}): Promise<Binding | null> {
  const { found, warehouse, governance, plan } = options;
  if (plan === undefined) return null;
  const ids = found
    .filter((each) => each.place.subject.name === plan.subject)
    .flatMap((each) => each.ids.reveal());
  return ids.length === 0 ? null : tryBind({ plan, ids, warehouse, governance });
}

/** The plan's own steps for its tables, and for the others the places in which people were found. */
function worksOf(found: readonly FoundIds[], binding: Binding | null): readonly Work[] {
  const planned = (binding?.bound.steps ?? []).flatMap(({ step, where, clears }): Work[] => {
    const deletes = step.action === 'delete' ? { delete: where.reveal() } : {};
    const { clear: columns } = step;
    const rows = (clears ?? where).reveal();
    const work = { ...deletes, ...(columns.length > 0 && { clear: { where: rows, columns } }) };
    return Object.keys(work).length === 0 ? [] : [{ table: step.table, work: { ...work, physically: true } }];
  });
  const known = new Set(planned.map((work) => work.table));
  const others = [...new Set(found.map((each) => each.place.table))].filter((table) => !known.has(table));
  return [
    ...planned,
    ...others.map((table) => ({ table, work: workIn(found.filter((each) => each.place.table === table)) })),
  ];
}

function workIn(places: readonly FoundIds[]): RowWork {
  const gone = places.filter((each) => each.place.kept === null);
  const kept = places.filter((each) => each.place.kept !== null);
  return {
    ...(gone.length > 0 && { delete: or(...gone.map((each) => each.where.reveal())) }),
    ...(kept.length > 0 && {
      clear: { where: or(...kept.map((each) => each.where.reveal())), columns: kept[0]!.place.kept! },
    }),
    physically: true,
  };
}

async function check(warehouse: Warehouse, works: readonly Work[], binding: Binding | null): Promise<void> {
  const refusals: StepRefusal[] = [...(binding?.refusals ?? [])];
  for (const step of binding?.bound.plan.steps ?? []) {
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
    `${refusals.length} table(s) stand in the way of erasing again`,
    {
      remedy: 'Put each in order, then run it again: nothing has changed',
      data: { tables: refusals },
    },
  );
}
