import { FailedError, LetheError, RefusedError } from '../../errors.ts';
import { minAgeOf } from '../../governance/min-age.ts';
import { readableTables } from '../../warehouse/readable-tables.ts';
import { canonicalIds } from '../bind-ids.ts';
import type { BoundPlan, BoundStep } from '../bound-plan.ts';
import { clearColumns, deleteRows } from './change-rows.ts';
import { cleanTables } from './clean-tables.ts';
import type { JobContext } from './context.ts';
import { type Evidence, isClean } from './evidence.ts';
import { addEvidence, evidenceWith, readyFolder } from './evidence-folder.ts';
import { foretell } from './foretell.ts';
import { hidePerson } from './hide-person.ts';
import type { Journal } from './journal.ts';
import { NamedFiles } from './named-files.ts';
import type { EraseOptions } from './options.ts';
import { openPeople, otherPeople, record, refuseOtherPeople } from './people.ts';
import { type PlanSince, planSince, unchanged } from './plan-since.ts';
import { checkAgain, planOf, prepare } from './prepare.ts';
import type { Secrets } from './private-state.ts';
import { prove } from './prove.ts';
import { purgeTables } from './purge-tables.ts';
import { rebuildTables } from './rebuild-tables.ts';
import { checkName, checkRequest } from './request.ts';
import { StateFolder } from './state-folder.ts';
import type { TableWork } from './survey.ts';

/**
 * Erases the people of one request from every table that lineage reaches, and proves it (rule E1): binds the plan, notes
 * what to look for, checks every table, writes the register, deletes rows with the sources first, clears columns that an
 * exception does not need, rebuilds, takes the person out of manifests, old snapshots, stray files and old versions of files,
 * reads every file that is left, and writes the evidence. The register entry is closed where nothing was found.
 *
 * A job that was killed at any point and is started again with the same request ends in the same state (rule E4), by the plan that it
 * began with: a table that came into the plan since is looked into, and changed by a new request. Where a
 * file still holds the person, or could not be read, the evidence says so and the request stays open: start it again once
 * the reason is gone.
 *
 * Throws {@link ErasureRefused} before the first change (rule E2); `erasure/among-tables` for a state, evidence or register that a sweep
 * would take for a stray file; `erasure/running`, `erasure/unfinished`,
 * `erasure/plan-changed`, `erasure/other-people` and `erasure/state-damaged` where an earlier job stands in the way;
 * `governance/tables` where the governance files name what no table has; `erasure/request` and `erasure/names-person` for the
 * request's name, `erasure/other-subject` and `erasure/plan-digest` for a plan that is not its own; `governance/min-age`,
 * `values/day`, `evidence/unwritable`; what reading the ids throws (`erasure/no-ids`, `erasure/id-type`, …); and, part-way,
 * `erasure/rebuild-failed`, `erasure/not-rebuilt`, `erasure/stopped` and what the warehouse throws.
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
  checkRequest(options);
  await refuseOtherPeople(options);
  if (options.dryRun === true) return foretell(options);
  const state = new StateFolder(options.state);
  return state.exclusively(async () => {
    const journal = await state.journal(options.request);
    await refuseOthers(state, options.request);
    return journal === null ? begin(options, state) : goOn(options, { state, journal });
  });
}

async function begin(options: EraseOptions, state: StateFolder): Promise<Evidence> {
  const reading = readableTables(options.warehouse);
  const plan = await planOf(options, reading);
  const prepared = await prepare(options, { plan, reading });
  checkName(options, prepared);
  await readyFolder(options.evidence);
  const { request, subject, day } = options;
  const journal = await state.begin(
    { kind: 'start', schemaVersion: 1, request, subject, day, plan, mentions: [...prepared.mentions] },
    prepared,
  );
  return run(contextOf(options, { ...prepared, state, journal, since: unchanged(plan) }), state);
}

/** Goes on with a request that had begun: the same people, the same plan, and the traces noted then (hazard 36). */
async function goOn(
  options: EraseOptions,
  { state, journal }: { state: StateFolder; journal: Journal },
): Promise<Evidence> {
  if (options.subject !== journal.start.subject) throw otherPeople(options);
  if (journal.proved?.clean === true)
    return finish(options, { state, evidence: await proven(options, journal) });
  const since = await planSince(options, journal.start);
  const { bound, traces: began } = await state.secrets(options.request, journal.start.plan);
  checkSamePeople(options, bound);
  const traces = await checkAgain(options, { bound, traces: began, since });
  await readyFolder(options.evidence);
  return run(contextOf(options, { bound, traces, state, journal, since }), state);
}

interface Begun extends Secrets {
  readonly journal: Journal;
  readonly state: StateFolder;
  readonly since: PlanSince;
}

function contextOf(options: EraseOptions, { bound, traces, journal, state, since }: Begun): JobContext {
  const { warehouse, request } = options;
  const named = new NamedFiles(state.namedFiles(request), warehouse);
  return { options, bound, traces, journal, named, minAgeMs: minAgeOf(options), since };
}

async function run(context: JobContext, state: StateFolder): Promise<Evidence> {
  try {
    return await runStages(context, state);
  } catch (error) {
    throw partWay(hidePerson(error, context.traces));
  }
}

/** What a table refuses or does not take once the job has begun is a failure: rows can be gone by then. */
function partWay(error: unknown): unknown {
  if (!(error instanceof LetheError) || error.kind === 'failed') return error;
  const { code, reason, remedy, data } = error;
  return new FailedError(code, reason, { remedy, data, cause: error });
}

async function runStages(context: JobContext, state: StateFolder): Promise<Evidence> {
  const { options, journal, bound } = context;
  await record(options, bound.ids.reveal(), 'open');
  const changedBefore = rowsChanged(context);
  await deleteRows(context);
  await clearColumns(context);
  await rebuildTables(context, { again: rowsChanged(context) > changedBefore });
  const young = [...(await cleanTables(context)), ...(await purgeTables(context))];
  const workOn = ({ step }: BoundStep): TableWork => ({
    ...(journal.changed(step.table) ?? { rows: 0, rowsCleared: 0 }),
    before: journal.before(step.table)?.snapshotId ?? null,
    versions: journal.purged(step.table) ?? null,
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
  await record(options, bound?.ids.reveal() ?? (await openPeople(options)), 'closed');
  await state.end(options.request);
  return evidence;
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

function checkSamePeople(options: EraseOptions, bound: BoundPlan): void {
  const subject = options.governance.subjects.get(options.subject)!;
  const now = canonicalIds(subject, options.ids).map((id) => JSON.stringify(id));
  const began = bound.ids.reveal().map((id) => JSON.stringify(id));
  if (now.length !== began.length || !now.every((id) => began.includes(id))) throw otherPeople(options);
}
