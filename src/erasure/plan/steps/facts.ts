import type { ErasureDecision } from '../../../governance/governance.ts';
import type { Rebuild } from '../judge/rebuildable.ts';
import type { Verdict } from '../judge/verdicts.ts';
import type { PlanModel } from '../model/model.ts';
import type { Reach } from '../model/reach.ts';
import type { DeclaredIds } from '../model/subject.ts';
import type { Match, Step } from '../plan.ts';
import type { Kept } from './kept.ts';

/** All that is known of a table when its step is made. */
export interface StepFacts {
  readonly model: PlanModel;
  readonly ids: DeclaredIds;
  readonly reach: Reach;
  readonly table: number;
  readonly verdict: Verdict;
  readonly rebuild: Rebuild;
  /** The exception that keeps its rows: its own, or one that covers it. */
  readonly kept: Kept | null;
  readonly decisions: readonly ErasureDecision[];
}

/** The matches of a step, its first one repeated where people look first. */
export function found(matches: readonly Match[]): Pick<Step, 'match' | 'column' | 'copyOf'> {
  return {
    match: matches,
    column: matches[0]?.columns.join(',') ?? null,
    copyOf: matches[0]?.copyOf ?? null,
  };
}
