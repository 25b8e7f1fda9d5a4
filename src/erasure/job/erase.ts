import { FailedError, InputError, RefusedError } from '../../errors.ts';
import { parseDay } from '../../values/day.ts';
import { canonicalIds } from '../bind-ids.ts';
import type { BoundPlan, BoundStep } from '../bound-plan.ts';
import type { Plan } from '../plan/plan.ts';
import { clearColumns, deleteRows, rowsToClear } from './change-rows.ts';
import { isTouched } from './check-tables.ts';
import { cleanTables } from './clean-tables.ts';
import type { JobContext } from './context.ts';
import { type Evidence, isClean } from './evidence.ts';
import { addEvidence, evidenceWith } from './evidence-folder.ts';
import type { Journal } from './journal.ts';
import { NamedFiles } from './named-files.ts';
import { namesPerson } from './names-person.ts';
import type { EraseOptions } from './options.ts';
import { checkAgain, type Prepared, planOf, prepare } from './prepare.ts';
import type { Secrets } from './private-state.ts';
import { prove } from './prove.ts';
import { rebuildTables } from './rebuild-tables.ts';
import { seal } from './seal.ts';
import { StateFolder } from './state-folder.ts';
import type { TableWork } from './survey.ts';

const MS_PER_HOUR = 3_600_000;

/**
 * Erases the people of one request from every table that lineage reaches, and proves it (rule E1): binds the plan, notes
 * what to look for, checks every table, writes the register, deletes rows with the sources first, clears columns that an
 * exception does not need, rebuilds, takes the person out of manifests, old snapshots and stray files, reads every file
 * that is left, and writes the evidence. The register entry is closed where nothing was found.
 *
 * A job that was killed at any point and is started again with the same request ends in the same state (rule E4). Where a
 * file still holds the person, or could not be read, the evidence says so and the request stays open: start it again once
 * the reason is gone.
 *
 * Throws {@link ErasureRefused} before the first change (rule E2); `erasure/running`, `erasure/unfinished` and
 * `erasure/plan-changed` where another job stands in the way; `erasure/names-person` for a request whose name does; what
 * `bindPlan` throws; and, part-way, `erasure/not-rebuilt`, `erasure/stopped` and what the warehouse throws.
 *
 * @example
 * ```ts
 * const evidence = await erase({
 *   warehouse, governance, register, lineage, jobs,
 *   subject: 'learner', ids: [3590], request: 'erasure-0001', day: '2026-10-01',
 *   state: '.lethe', evidence: 'evidence',
 * });
 * if (evidence.totals.filesHolding + evidence.totals.notProven > 0) process.exitCode = 1;
 * ```
 */
export async function erase(options: EraseOptions): Promise<Evidence> {
  parseDay(options.day);
  checkRequest(options.request);
  minAgeOf(options);
  if (options.dryRun === true) return foretell(options);
  const state = new StateFolder(options.state);
  return state.exclusively(async () => {
    const journal = await state.journal(options.request);
    await refuseOthers(state, options.request);
    return journal === null ? begin(options, state) : goOn(options, { state, journal });
  });
}

async function begin(options: EraseOptions, state: StateFolder): Promise<Evidence> {
  const plan = ofSubject(await planOf(options), options.subject);
  const prepared = await prepare(options, plan);
  checkName(options, prepared);
  const { request, subject, day } = options;
  const journal = await state.begin(
    { kind: 'start', schemaVersion: 1, request, subject, day, plan, mentions: [...prepared.mentions] },
    prepared,
  );
  return run(contextOf(options, { ...prepared, state, journal }), state);
}

/** Goes on with a request that had begun: the same people, the same plan, and the traces noted then (hazard 36). */
async function goOn(
  options: EraseOptions,
  { state, journal }: { state: StateFolder; journal: Journal },
): Promise<Evidence> {
  const plan = await samePlan(options, journal);
  if (journal.proved?.clean === true)
    return finish(options, { state, evidence: await proven(options, journal) });
  const secrets = await state.secrets(options.request, plan);
  checkSamePeople(options, secrets.bound);
  await checkAgain(options, { ...secrets, journal });
  return run(contextOf(options, { ...secrets, state, journal }), state);
}

function contextOf(
  options: EraseOptions,
  { bound, traces, journal, state }: Secrets & { readonly journal: Journal; readonly state: StateFolder },
): JobContext {
  const { warehouse, request } = options;
  const named = new NamedFiles({ state, request, warehouse });
  return { options, bound, traces, journal, named, minAgeMs: minAgeOf(options) };
}

async function run(context: JobContext, state: StateFolder): Promise<Evidence> {
  const { options, journal, bound } = context;
  await record(options, bound, 'open');
  const changedBefore = rowsChanged(context);
  await deleteRows(context);
  await clearColumns(context);
  await rebuildTables(context, { again: rowsChanged(context) > changedBefore });
  const young = await cleanTables(context);
  const workOn = ({ step }: BoundStep): TableWork => ({
    ...(journal.changed(step.table) ?? { rows: 0, rowsCleared: 0 }),
    before: journal.before(step.table)?.snapshotId ?? null,
  });
  const unsealed = await prove(options, {
    ...context,
    mentions: journal.start.mentions,
    young,
    workOn,
    changed: true,
  });
  const evidence = await addEvidence(options.evidence, unsealed);
  await journal.add({ kind: 'proved', digest: evidence.digest, clean: isClean(evidence) });
  return finish(options, { state, evidence, bound });
}

/** Closes the register and forgets the traces where the person is gone; else the request stays open, and so do they. */
async function finish(
  options: EraseOptions,
  { state, evidence, bound }: { state: StateFolder; evidence: Evidence; bound?: BoundPlan },
): Promise<Evidence> {
  if (!isClean(evidence)) return evidence;
  const ids =
    bound?.ids.reveal() ?? canonicalIds(options.governance.subjects.get(options.subject)!, options.ids);
  await options.register.add(
    ids.map((id) => ({
      request: options.request,
      subject: options.subject,
      id,
      state: 'closed',
      day: options.day,
    })),
  );
  await state.end(options.request);
  return evidence;
}

/** What the job would do: the same document, read from the tables as they are. Nothing is changed or written. */
async function foretell(options: EraseOptions): Promise<Evidence> {
  const { warehouse } = options;
  const plan = ofSubject(await planOf(options), options.subject);
  const prepared = await prepare(options, plan);
  checkName(options, prepared);
  const works = new Map<string, TableWork>();
  for (const bound of prepared.bound.steps.filter(({ step }) => isTouched(step))) {
    const { table, action } = bound.step;
    const rows = action === 'delete' ? await warehouse.count(table, bound.where.reveal()) : 0;
    const clears = action === 'keep' || action === 'clear';
    const rowsCleared = clears ? await warehouse.count(table, rowsToClear(bound)) : 0;
    works.set(table, { rows, rowsCleared, before: (await warehouse.describe(table)).currentSnapshotId });
  }
  const workOn = ({ step }: BoundStep): TableWork =>
    works.get(step.table) ?? { rows: 0, rowsCleared: 0, before: null };
  const minAgeMs = minAgeOf(options);
  return seal(await prove(options, { ...prepared, minAgeMs, young: [], workOn, changed: false }), null);
}

async function record(options: EraseOptions, bound: BoundPlan, state: 'open' | 'closed'): Promise<void> {
  const { register, request, subject, day } = options;
  await register.add(bound.ids.reveal().map((id) => ({ request, subject, id, state, day })));
}

/** One at a time: a request that was killed part-way is finished before another changes the same tables. */
async function refuseOthers(state: StateFolder, request: string): Promise<void> {
  const others = (await state.journals()).filter((each) => each.start.request !== request);
  const halfway = others.find((each) => each.proved === undefined);
  if (halfway === undefined) return;
  throw new RefusedError(
    'erasure/unfinished',
    `${halfway.start.request} was begun here and is not finished`,
    {
      remedy: `Start ${halfway.start.request} again first: it goes on from where it stopped`,
      data: { request: halfway.start.request },
    },
  );
}

async function proven(options: EraseOptions, journal: Journal): Promise<Evidence> {
  const { digest } = journal.proved!;
  const evidence = await evidenceWith(options.evidence, digest);
  if (evidence !== null) return evidence;
  throw new FailedError(
    'erasure/evidence-gone',
    `${options.request} is done, and its evidence is not in ${options.evidence}`,
    {
      remedy: 'Restore the evidence folder, or name the one in which the job wrote it',
      data: { request: options.request, digest },
    },
  );
}

function rowsChanged({ bound, journal }: JobContext): number {
  return bound.steps.reduce((sum, { step }) => sum + (journal.changed(step.table)?.rows ?? 0), 0);
}

function minAgeOf({ minAgeMs, governance }: EraseOptions): number {
  const age = minAgeMs ?? governance.files.minAgeHours * MS_PER_HOUR;
  if (Number.isSafeInteger(age) && age >= 0) return age;
  throw new InputError('erasure/min-age', `${age} is no age in milliseconds`, {
    remedy: 'Pass a whole number of milliseconds, 0 or more',
    data: { found: age },
  });
}

/** The plan that the request began with. While a rebuild has its table away, no other can be made to compare. */
async function samePlan(options: EraseOptions, { start }: Journal): Promise<Plan> {
  const there = new Set(await options.warehouse.list());
  const away = start.plan.steps.some(({ action, table }) => action === 'rebuild' && !there.has(table));
  const plan = away ? start.plan : await planOf(options);
  if (plan.digest === start.plan.digest && options.subject === start.subject) return start.plan;
  throw new RefusedError('erasure/plan-changed', `${start.request} began with another plan`, {
    remedy: `Finish it with the plan ${start.plan.digest.slice(0, 12)}… that it began with, then erase again under a new request`,
    data: { request: start.request, began: start.plan.digest, now: plan.digest },
  });
}

function ofSubject(plan: Plan, subject: string): Plan {
  if (plan.subject === subject) return plan;
  throw new InputError(
    'erasure/other-subject',
    `The plan is for a ${plan.subject}, and the request for a ${subject}`,
    {
      remedy: 'Make the plan for the kind of subject that the request is about',
      data: { plan: plan.subject, request: subject },
    },
  );
}

function checkRequest(request: string): void {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._:/#-]{0,99}$/u.test(request)) return;
  throw new InputError('erasure/request', 'The id of the request cannot stand in commits and evidence', {
    remedy: 'Use 1 to 100 letters, digits and any of . _ : / # -, beginning with a letter or digit',
  });
}

/** The request's id is written into commits, which outlive the person's rows (rule E3). */
function checkName({ request }: EraseOptions, { traces, bound }: Prepared): void {
  if (!namesPerson(request, traces, bound.ids.reveal())) return;
  throw new InputError(
    'erasure/names-person',
    'The id of the request names the person, and would stay in the commits',
    {
      remedy: 'Give the request an id that says nothing of the person, such as erasure-0001',
    },
  );
}

function checkSamePeople(options: EraseOptions, bound: BoundPlan): void {
  const subject = options.governance.subjects.get(options.subject)!;
  const now = canonicalIds(subject, options.ids).map((id) => JSON.stringify(id));
  const began = bound.ids.reveal().map((id) => JSON.stringify(id));
  if (now.length === began.length && now.every((id) => began.includes(id))) return;
  throw new RefusedError('erasure/other-people', `${options.request} began for other people`, {
    remedy: 'Start it again with the same ids, and erase the others under a new request',
    data: { request: options.request },
  });
}
