import { describeTrial } from './describe.ts';
import { build } from './generate/build.ts';
import type { Recipe } from './generate/recipe.ts';
import { type Judgement, judge } from './judge.ts';
import { type Kind, kindsOf } from './kinds.ts';
import { type Lake, TooLarge } from './lake.ts';
import { type Planner, planFor } from './planned.ts';

export interface TriedPipeline extends Judgement {
  readonly kinds: ReadonlySet<Kind>;
  /** The pipeline, its plan and what was wrong, for people. */
  describe(): string;
}

/**
 * Builds a pipeline from its recipe, runs it, plans from its events alone, and judges the plan row by row. Null for one that grows too
 * large to be run.
 */
export async function tryRecipe(lake: Lake, recipe: Recipe, planner: Planner): Promise<TriedPipeline | null> {
  const pipeline = build(recipe);
  const plan = await planFor(pipeline, planner);
  const judgement = await judge(lake, pipeline, plan).catch((cause: unknown) => {
    if (cause instanceof TooLarge) return null;
    throw cause;
  });
  if (judgement === null) return null;
  return { ...judgement, kinds: kindsOf(pipeline), describe: () => describeTrial(pipeline, plan, judgement) };
}
