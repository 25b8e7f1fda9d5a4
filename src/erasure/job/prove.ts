import type { PersonHash } from '../../register/entry.ts';
import { type Mention, type ScanReport, scan } from '../../scan/index.ts';
import type { BoundPlan, BoundStep } from '../bound-plan.ts';
import type { Evidence, YoungFile } from './evidence.ts';
import { maskPaths } from './mask-paths.ts';
import type { EraseOptions } from './options.ts';
import type { PlanSince } from './plan-since.ts';
import type { Secrets } from './private-state.ts';
import type { Unsealed } from './seal.ts';
import { readFiles, surveyTable, type TableWork } from './survey.ts';

/** What evidence is made of besides what is read now. */
export interface Proof extends Secrets {
  readonly minAgeMs: number;
  readonly mentions: readonly Mention[];
  readonly young: readonly YoungFile[];
  readonly workOn: (step: BoundStep) => TableWork;
  readonly since: PlanSince;
  /** False for a dry run. */
  readonly changed: boolean;
}

/** Reads every file that is left, and puts the evidence together from what was read (rules E7 and E8). */
export async function prove(options: EraseOptions, proof: Proof): Promise<Unsealed> {
  const { warehouse, progress } = options;
  progress?.({ kind: 'stage', stage: 'scan' });
  const report = await scan({
    warehouse,
    traces: proof.traces,
    progress: ({ table, filesDone, files }) =>
      progress?.({ kind: 'file', stage: 'scan', table, read: filesDone, of: files }),
  });
  progress?.({ kind: 'stage', stage: 'evidence' });
  const tables = [];
  for (const step of proof.bound.steps) {
    tables.push(
      await surveyTable(options, step, { report, work: proof.workOn(step), changed: proof.changed }),
    );
  }
  return {
    schemaVersion: 1,
    request: options.request,
    subject: options.subject,
    day: options.day,
    minAge: duration(proof.minAgeMs),
    planDigest: proof.bound.plan.digest,
    planSince: sinceOf(proof.since),
    dryRun: !proof.changed,
    finishedAt: options.clock === undefined ? null : new Date(options.clock.now()).toISOString(),
    searched: report.searched,
    register: hashesOf(options, proof.bound),
    tables,
    elsewhere: elsewhere(report, proof.bound),
    totals: {
      rows: tables.reduce((sum, table) => sum + table.rows, 0),
      filesRead: report.totals.files,
      filesHolding: report.totals.holding,
      notProven: report.totals.notProven,
      filesShared: report.totals.shared,
    },
    young: maskPaths(proof.young, proof.traces),
    mentions: proof.mentions,
    copies: [],
    recipients: [],
  };
}

function sinceOf({ now, added, gone }: PlanSince): Evidence['planSince'] {
  if (added.length === 0 && gone.size === 0) return null;
  return { digest: now.digest, added: added.map(({ table }) => table), gone: [...gone] };
}

/** The people of the request as the register knows them. */
export function hashesOf({ register, subject }: EraseOptions, bound: BoundPlan): readonly PersonHash[] {
  return bound.ids.reveal().map((id) => register.hash(subject, id));
}

function elsewhere(report: ScanReport, { plan }: BoundPlan): Evidence['elsewhere'] {
  const planned = new Set(plan.steps.map((step) => step.table));
  return report.tables.filter(({ table }) => !planned.has(table)).map((each) => readFiles(each.table, each));
}

/** As the command line takes it: `72h`, `90m`, `1500ms`. */
function duration(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  return ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms}ms`;
}
