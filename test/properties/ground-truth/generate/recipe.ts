import fc from 'fast-check';
import type { Flavour } from '../pipeline.ts';

/**
 * A pipeline before its choices meet the tables that are there: small numbers, each taken modulo what there is to choose
 * from, so that fast-check can shrink it to the few that matter.
 */
export interface Recipe {
  readonly flavour: Flavour;
  readonly person: number;
  readonly quirks: number;
  readonly steps: readonly StepRecipe[];
}

export interface StepRecipe {
  readonly kind: number;
  readonly target: number;
  readonly selects: readonly SelectRecipe[];
  readonly fails: number;
  /** Whether the job runs once more after all others did. */
  readonly again: number;
  /** Whether it goes by the name of the job before it. */
  readonly sameJob: number;
}

export interface SelectRecipe {
  readonly from: number;
  readonly join: number;
  readonly joins: readonly { readonly table: number; readonly type: number; readonly on: number }[];
  readonly shape: number;
  readonly where: number;
  readonly outputs: readonly OutputRecipe[];
}

export interface OutputRecipe {
  readonly expr: number;
  readonly of: number;
  readonly and: number;
  readonly name: number;
}

const choice = fc.nat({ max: 99 });

const output: fc.Arbitrary<OutputRecipe> = fc.record({ expr: choice, of: choice, and: choice, name: choice });

const select: fc.Arbitrary<SelectRecipe> = fc.record({
  from: choice,
  join: choice,
  joins: fc.array(fc.record({ table: choice, type: choice, on: choice }), { minLength: 2, maxLength: 2 }),
  shape: choice,
  where: choice,
  outputs: fc.array(output, { minLength: 1, maxLength: 4 }),
});

const step: fc.Arbitrary<StepRecipe> = fc.record({
  kind: choice,
  target: choice,
  selects: fc.array(select, { minLength: 1, maxLength: 2 }),
  fails: choice,
  again: choice,
  sameJob: choice,
});

/** Recipes of one flavour. */
export function recipes(flavour: Flavour): fc.Arbitrary<Recipe> {
  return fc.record({
    flavour: fc.constant(flavour),
    person: fc.constantFrom(1, 2, 3, 4, 7),
    quirks: fc.nat({ max: 999 }),
    steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  });
}
