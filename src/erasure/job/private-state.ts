import * as z from 'zod';
import { or } from '../../predicate/index.ts';
import { openTraces, sealTraces } from '../../scan/index.ts';
import type { Traces } from '../../scan/traces.ts';
import { parseJson } from '../../values/json.ts';
import { literalSchema } from '../../values/literal-schema.ts';
import { Private } from '../../values/private.ts';
import type { Tuple } from '../../warehouse/warehouse.ts';
import type { BoundPlan } from '../bound-plan.ts';
import type { Plan } from '../plan/plan.ts';
import { tupleIn } from '../tuple-predicate.ts';

/** What only the private file of a job holds: who the request is about, by which values, and what the scan looks for. */
export interface Secrets {
  readonly bound: BoundPlan;
  readonly traces: Traces;
}

const file = z.object({
  schemaVersion: z.literal(1),
  ids: z.array(z.array(z.string())),
  /** One list of keys for each step of the plan, in its order. */
  keys: z.array(
    z.array(z.object({ columns: z.array(z.string()), values: z.array(z.array(literalSchema.nullable())) })),
  ),
  traces: z.string(),
});

/** The text of the private file. It holds values of people: it must go nowhere else. */
export function sealSecrets({ bound, traces }: Secrets): string {
  return JSON.stringify({
    schemaVersion: 1,
    ids: bound.ids.reveal(),
    keys: bound.steps.map((step) =>
      step.keys.map(({ columns, values }) => ({ columns, values: values.reveal() })),
    ),
    traces: new TextDecoder().decode(sealTraces(traces)),
  });
}

/** Reads it back for the same plan: bridge values cannot be resolved again once their rows are gone. */
export function unsealSecrets(text: string, plan: Plan): Secrets {
  const { ids, keys, traces } = file.parse(parseJson(text));
  const steps = plan.steps.map((step, index) => {
    const bound = (keys[index] ?? []).map(({ columns, values }) => ({
      columns,
      values: new Private<readonly Tuple[]>(values),
    }));
    const where = or(...bound.map((key) => tupleIn(key.columns, key.values.reveal())));
    return { step, keys: bound, where: new Private(where) };
  });
  return {
    bound: { plan, ids: new Private(ids), steps },
    traces: openTraces(new TextEncoder().encode(traces)),
  };
}

/** Only the traces, without the plan that the rest belongs to. */
export function unsealTraces(text: string): Traces {
  return openTraces(new TextEncoder().encode(file.parse(parseJson(text)).traces));
}
