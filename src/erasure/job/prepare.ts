import { InputError } from '../../errors.ts';
import { assertGovernance } from '../../governance/index.ts';
import type { Lineage } from '../../lineage/lineage.ts';
import type { Mention } from '../../scan/index.ts';
import { mentions } from '../../scan/index.ts';
import { tryNoteTraces } from '../../scan/note/note-traces.ts';
import type { Traces } from '../../scan/traces.ts';
import { describeAll } from '../../warehouse/describe-all.ts';
import { type ReadableTables, type RowReader, readableTables } from '../../warehouse/readable-tables.ts';
import { tryBind } from '../bind.ts';
import { planDigest } from '../plan/digest.ts';
import { planErasure } from '../plan/index.ts';
import type { Plan } from '../plan/plan.ts';
import type { StepRefusal } from '../refusal.ts';
import { mentionRefusals, planRefusals } from './check-plan.ts';
import { tableRefusals } from './check-tables.ts';
import { hidePerson, hiding } from './hide-person.ts';
import type { EraseOptions } from './options.ts';
import type { PlanSince } from './plan-since.ts';
import type { Secrets } from './private-state.ts';
import { ErasureRefused } from './refused.ts';
import { checkPlaces } from './request.ts';
import { tracesSince } from './traces-since.ts';

/** A job that may begin: bound, its traces noted, everything checked. */
export interface Prepared extends Secrets {
  readonly mentions: readonly Mention[];
}

/**
 * Binds the plan, notes the traces and checks every table, all before the first change (rules E1 and E2). Throws
 * {@link ErasureRefused} with everything that stands in the way at once, and `governance/tables` where the files name what the
 * tables do not have.
 */
export async function prepare(
  options: EraseOptions,
  { plan, reading }: { readonly plan: Plan; readonly reading: ReadableTables },
): Promise<Prepared> {
  const { governance, progress } = options;
  const tables = await describeAll(reading);
  assertGovernance({ governance, tables });
  checkPlaces(
    options,
    tables.flatMap(({ folders }) => folders),
  );
  progress?.({ kind: 'stage', stage: 'bind' });
  const { bound, refusals } = await tryBind({ plan, ids: options.ids, warehouse: reading, governance });
  progress?.({ kind: 'stage', stage: 'trace' });
  const { traces, refusals: short } = await tryNoteTraces({ bound, governance, warehouse: reading });
  progress?.({ kind: 'stage', stage: 'check' });
  return hidden(traces, async () => {
    const named = await mentions({ bound, traces, warehouse: reading });
    const found = [
      ...refusals,
      ...short,
      ...(await checks(options, { plan, reading, traces })),
      ...mentionRefusals(governance, named),
    ];
    const all = [...found, ...unreadable(reading, found)];
    if (all.length > 0) throw new ErasureRefused(distinct(all), { traces, mentions: named });
    return { bound, traces, mentions: named };
  });
}

/** What the checks throw shows the person as little as what they say does (rule E3). */
async function hidden<T>(traces: Traces, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw hidePerson(error, traces);
  }
}

/** Tables in which nobody could look, where nothing else is said of them. */
function unreadable({ unreadable }: ReadableTables, found: readonly StepRefusal[]): readonly StepRefusal[] {
  const told = new Set(found.map(({ table }) => table));
  return [...unreadable]
    .filter(([table]) => !told.has(table))
    .map(([table, { data, remedy }]) => ({
      table,
      code: 'unreadable',
      reason: `it has ${(data.missing as readonly string[]).join(' and ')}, in which nobody could look`,
      remedy,
    }));
}

/**
 * Checks the tables again before a job goes on that had begun: an owner may have set something since (hazard 14). Returns what the scan
 * looks for: the traces noted then, and those of tables that came into the plan.
 */
export async function checkAgain(
  options: EraseOptions,
  { traces: began, bound, since }: Secrets & { readonly since: PlanSince },
): Promise<Traces> {
  const { governance, jobs = {}, day, progress } = options;
  progress?.({ kind: 'stage', stage: 'check' });
  const { plan } = bound;
  const away = (table: string): boolean =>
    since.gone.has(table) || plan.steps.some((step) => step.action === 'rebuild' && step.table === table);
  const reading = readableTables(options.warehouse);
  const there = new Set(await reading.list());
  for (const { table } of plan.steps.filter((step) => there.has(step.table))) {
    checkPlaces(options, (await reading.describe(table)).folders);
  }
  return hidden(began, async () => {
    const { traces, refusals } = await tracesSince(options, { bound, traces: began }, { since, reading });
    const all = [
      ...refusals,
      ...planRefusals({ plan: { ...since.now, steps: since.added }, governance, jobs, day }),
      ...(await checks(options, { plan, reading, away, traces })),
    ];
    if (all.length > 0) throw new ErasureRefused(distinct(all), { traces, mentions: [], begun: true });
    return traces;
  });
}

/**
 * The plan of a job: given, or made from the lineage and the tables as they are read. Throws `erasure/other-subject`, and
 * `erasure/plan-digest` for a plan that is not the one its digest names.
 */
export async function planOf(options: EraseOptions, reading: RowReader): Promise<Plan> {
  const plan = 'plan' in options ? options.plan : await makePlan(options, reading);
  if (plan.subject !== options.subject) {
    throw new InputError(
      'erasure/other-subject',
      `The plan is for a ${plan.subject}, and the request for a ${options.subject}`,
      {
        remedy: 'Make the plan for the kind of subject that the request is about',
        data: { plan: plan.subject, request: options.subject },
      },
    );
  }
  if (planDigest(plan) === plan.digest) return plan;
  throw new InputError('erasure/plan-digest', 'The plan does not hash to its digest', {
    remedy: 'It was changed after it was made: make it again, and let it be reviewed again',
    data: { digest: plan.digest },
  });
}

async function makePlan(
  { governance, lineage, subject }: EraseOptions & { readonly lineage: Lineage },
  reading: RowReader,
): Promise<Plan> {
  return planErasure({ governance, lineage, tables: await describeAll(reading), subject });
}

interface Checking {
  readonly plan: Plan;
  readonly reading: RowReader;
  readonly traces: Traces;
  readonly away?: (table: string) => boolean;
}

async function checks(
  { warehouse, governance, jobs = {}, day }: EraseOptions,
  { plan, reading, traces, away }: Checking,
): Promise<readonly StepRefusal[]> {
  const tables = {
    describe: (table: string) => reading.describe(table),
    storageRefusals: (table: string) => warehouse.storageRefusals(table),
  };
  return [
    ...planRefusals({ plan, governance, jobs, day }),
    ...(await tableRefusals({
      plan,
      warehouse: tables,
      decisions: governance.decisions,
      shown: hiding(traces),
      ...(away && { away }),
    })),
  ];
}

/** One of each; binding and checking can both miss a table. */
function distinct(refusals: readonly StepRefusal[]): readonly StepRefusal[] {
  return [
    ...new Map(refusals.map((each) => [JSON.stringify([each.table, each.code, each.reason]), each])).values(),
  ];
}
