// Plans for generated pipelines judged row by row, beside the rule that many would write first: "a column that is an
// IDENTITY of a key is a key". RUNS pipelines (10,000 if not set) in four flavours, from SEED; what fails is shrunk and shown.
import fc from 'fast-check';
import { recipes } from '../test/properties/ground-truth/generate/recipe.ts';
import { kindsIn } from '../test/properties/ground-truth/kinds.ts';
import { Lake } from '../test/properties/ground-truth/lake.ts';
import { naivePlanner } from '../test/properties/ground-truth/naive.ts';
import type { Flavour } from '../test/properties/ground-truth/pipeline.ts';
import { type Planner, planner } from '../test/properties/ground-truth/planned.ts';
import { Tally } from '../test/properties/ground-truth/tally.ts';
import { tryRecipe } from '../test/properties/ground-truth/trial.ts';
import { type Bench, type Figure, figure } from './bench.ts';

const RUNS = Number(process.env.RUNS ?? 10_000);
const SEED = Number(process.env.SEED ?? 1);
const FLAVOURS: readonly Flavour[] = ['faithful-typed', 'spark-like', 'dbt-like', 'partial'];

export const bench: Bench = async () => {
  const lake = await Lake.open();
  const figures: Figure[] = [];
  for (const [number, flavour] of FLAVOURS.entries()) {
    // Other pipelines for each flavour, not the same ones told in four ways.
    const sample = { seed: SEED + number, numRuns: Math.ceil(RUNS / FLAVOURS.length) };
    const lethe = await tallyOf(lake, flavour, sample, planner);
    const naive = await tallyOf(lake, flavour, sample, naivePlanner);
    process.stderr.write(`${flavour}, seed ${sample.seed}: ${lethe}\n`);
    if (lethe.faults.size > 0) process.stderr.write(`${await smallestFailure(lake, flavour, sample)}\n`);
    const beside = (what: string, ours: number, theirs: number): void => {
      const both = { unit: 'tables', lethe: ours, peer: theirs, peerName: 'one-hop IDENTITY', bound: 0 };
      const measured = figure({ what: `${flavour}: ${what}`, ...both });
      figures.push({ ...measured, ratio: ours === 0 ? 0 : ours / Math.max(1, theirs) });
    };
    // A bound of nothing at all: any wrong delete or missed copy fails the bench.
    beside('wrong deletes', lethe.wrongDeletes, naive.wrongDeletes);
    beside('missed copies', lethe.missedCopies, naive.missedCopies);
    beside('rows lost by a rebuild', lethe.faults.get('lost-rows') ?? 0, naive.faults.get('lost-rows') ?? 0);
    const rare = lethe.rare(kindsIn(flavour), sample.numRuns / 100);
    if (rare.length > 0) process.stderr.write(`${flavour}, in less than 1 % of them: ${rare.join(', ')}\n`);
  }
  lake.close();
  return figures;
};

interface Sample {
  readonly seed: number;
  readonly numRuns: number;
}

async function tallyOf(lake: Lake, flavour: Flavour, sample: Sample, by: Planner): Promise<Tally> {
  const tally = new Tally();
  for (const recipe of fc.sample(recipes(flavour), sample)) tally.take(await tryRecipe(lake, recipe, by));
  return tally;
}

/** The first failure, shrunk, with the seed and path that bring it back. */
async function smallestFailure(lake: Lake, flavour: Flavour, sample: Sample): Promise<string> {
  const property = fc.asyncProperty(recipes(flavour), async (recipe) => {
    const tried = await tryRecipe(lake, recipe, planner);
    if (tried !== null && tried.faults.length > 0) throw new Error(tried.describe());
  });
  const { seed, counterexamplePath, errorInstance } = await fc.check(property, sample);
  const shown = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `seed ${seed}, path ${counterexamplePath}\n${shown}`;
}
