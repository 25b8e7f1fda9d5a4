import { makeTraces } from '../../scan/index.ts';
import { tryNoteTraces } from '../../scan/note/note-traces.ts';
import type { Traces } from '../../scan/traces.ts';
import { Private } from '../../values/private.ts';
import type { RowReader } from '../../warehouse/readable-tables.ts';
import type { Tuple } from '../../warehouse/warehouse.ts';
import { tryBind } from '../bind.ts';
import type { BoundPlan, BoundStep } from '../bound-plan.ts';
import type { MatchValues } from '../plan/plan.ts';
import type { StepRefusal } from '../refusal.ts';
import type { EraseOptions } from './options.ts';
import type { PlanSince } from './plan-since.ts';
import type { Secrets } from './private-state.ts';

/**
 * What the scan of a job looks for where tables came into the plan after it began: what was noted then, and what is noted now for the
 * plan with these tables, in which nothing else would look by their own columns. With what stands in the way of looking there.
 */
export async function tracesSince(
  options: EraseOptions,
  { bound, traces }: Secrets,
  { since: { now, added }, reading }: { readonly since: PlanSince; readonly reading: RowReader },
): Promise<{ readonly traces: Traces; readonly refusals: readonly StepRefusal[] }> {
  if (added.length === 0) return { traces, refusals: [] };
  const { governance, ids } = options;
  const isAdded = (table: string): boolean => added.some((step) => step.table === table);
  const fresh = await tryBind({ plan: now, ids, warehouse: reading, governance });
  const steps = fresh.bound.steps.map((each) => (isAdded(each.step.table) ? withKnown(each, bound) : each));
  const noted = await tryNoteTraces({ bound: { ...fresh.bound, steps }, governance, warehouse: reading });
  return {
    traces: joined(traces, noted.traces),
    refusals: [...fresh.refusals, ...noted.refusals].filter(({ table }) => isAdded(table)),
  };
}

/** Values of a bridge whose rows this job has deleted are known from when it began. */
function withKnown(fresh: BoundStep, began: BoundPlan): BoundStep {
  const keys = fresh.keys.map(({ columns, values }, index) => ({
    columns,
    values: new Private([...values.reveal(), ...valuesOf(fresh.step.match[index]!.values, began)]),
  }));
  return { ...fresh, keys };
}

function valuesOf(values: MatchValues, { steps }: BoundPlan): readonly Tuple[] {
  if (values.from === 'subject') return [];
  const same = JSON.stringify(values);
  return steps.flatMap(({ step, keys }) =>
    keys.flatMap((key, index) =>
      JSON.stringify(step.match[index]!.values) === same ? key.values.reveal() : [],
    ),
  );
}

/** Both together. What is expected in a table that came is expected there by the older traces as well. */
function joined(began: Traces, now: Traces): Traces {
  const ids = now.ids.reveal();
  const older = began.ids.reveal().map((trace) => {
    const same = ids.filter(
      ({ table, columns }) => table === trace.table && `${columns}` === `${trace.columns}`,
    );
    return {
      ...trace,
      expectedIn: [...new Set([...trace.expectedIn, ...same.flatMap((each) => each.expectedIn)])],
    };
  });
  const distinct = <T>(items: readonly T[], key: (item: T) => string): readonly T[] => [
    ...new Map([...items].reverse().map((item) => [key(item), item])).values(),
  ];
  return makeTraces({
    subject: began.subject,
    texts: distinct([...began.texts.reveal(), ...now.texts.reveal()], ({ text }) => text),
    ids: distinct([...older, ...ids], (trace) => JSON.stringify(trace)),
    hashes: distinct([...began.hashes.reveal(), ...now.hashes.reveal()], ({ hash }) => hash),
  });
}
