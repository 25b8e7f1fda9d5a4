import * as z from 'zod';
import { openTraces, sealTraces } from '../../scan/index.ts';
import type { Traces } from '../../scan/traces.ts';
import { parseJson } from '../../values/json.ts';
import { literalSchema } from '../../values/literal-schema.ts';
import { Private } from '../../values/private.ts';
import type { Tuple } from '../../warehouse/warehouse.ts';
import { anyOf } from '../bind.ts';
import type { BoundKey, BoundPlan } from '../bound-plan.ts';
import type { Plan } from '../plan/plan.ts';

/** What only the private file of a job holds: who the request is about, by which values, and what the scan looks for. */
export interface Secrets {
  readonly bound: BoundPlan;
  readonly traces: Traces;
}

const keysOfStep = z.array(
  z.object({ columns: z.array(z.string()), values: z.array(z.array(literalSchema.nullable())) }),
);

const file = z.object({
  schemaVersion: z.literal(1),
  ids: z.array(z.array(z.string())),
  /** One list of keys for each step of the plan, in its order. */
  keys: z.array(keysOfStep),
  /** The same for what finds rows to clear beside a delete; null for a step that has none. */
  clearKeys: z.array(keysOfStep.nullable()),
  traces: z.string(),
});

/** The text of the private file. It holds values of people: it must go nowhere else. */
export function sealSecrets({ bound, traces }: Secrets): string {
  return JSON.stringify({
    schemaVersion: 1,
    ids: bound.ids.reveal(),
    keys: bound.steps.map(({ keys }) => revealed(keys)),
    clearKeys: bound.steps.map(({ clearKeys }) => (clearKeys === undefined ? null : revealed(clearKeys))),
    traces: new TextDecoder().decode(sealTraces(traces)),
  });
}

/** Reads it back for the same plan: bridge values cannot be resolved again once their rows are gone. */
export function unsealSecrets(text: string, plan: Plan): Secrets {
  const { ids, keys, clearKeys, traces } = file.parse(parseJson(text));
  const steps = plan.steps.map((step, index) => {
    const [found, toClear] = [hidden(keys[index] ?? []), clearKeys[index] ?? null];
    const bound = { step, keys: found, where: anyOf(found) };
    if (toClear === null) return bound;
    const cleared = hidden(toClear);
    return { ...bound, clearKeys: cleared, clears: anyOf(cleared) };
  });
  return {
    bound: { plan, ids: new Private(ids), steps },
    traces: openTraces(new TextEncoder().encode(traces)),
  };
}

function revealed(keys: readonly BoundKey[]): z.input<typeof keysOfStep> {
  return keys.map(({ columns, values }) => ({
    columns: [...columns],
    values: values.reveal().map((tuple) => [...tuple]),
  }));
}

function hidden(keys: z.infer<typeof keysOfStep>): readonly BoundKey[] {
  return keys.map(({ columns, values }) => ({ columns, values: new Private<readonly Tuple[]>(values) }));
}

/** Only the traces, without the plan that the rest belongs to. */
export function unsealTraces(text: string): Traces {
  return openTraces(new TextEncoder().encode(file.parse(parseJson(text)).traces));
}
