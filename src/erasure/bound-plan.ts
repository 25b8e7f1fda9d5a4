import type { Predicate } from '../predicate/predicate.ts';
import type { Private } from '../values/private.ts';
import type { Tuple } from '../warehouse/warehouse.ts';
import type { Plan, Step } from './plan/plan.ts';

/**
 * A plan together with the ids of one request and every bridge value, resolved before anything is deleted (rule L7). It
 * lives in memory: everything of a person in it is {@link Private}. Made by `bindPlan`.
 */
export interface BoundPlan {
  readonly plan: Plan;
  /** The canonical ids of the request; a composite id has several parts. */
  readonly ids: Private<readonly (readonly string[])[]>;
  /** One for each step of the plan, in its order. */
  readonly steps: readonly BoundStep[];
}

export interface BoundStep {
  readonly step: Step;
  /** The values to match by, one entry for each match of the step. */
  readonly keys: readonly BoundKey[];
  /** True for the person's rows of this table: any of the keys. `never` where there are none. */
  readonly where: Private<Predicate>;
  /** Beside a delete that clears too: what finds the rows to clear among those that stay, one entry for each `clearBy` of the step. */
  readonly clearKeys?: readonly BoundKey[];
  /** True for those rows: any of these keys. */
  readonly clears?: Private<Predicate>;
}

export interface BoundKey {
  readonly columns: readonly string[];
  readonly values: Private<readonly Tuple[]>;
}
