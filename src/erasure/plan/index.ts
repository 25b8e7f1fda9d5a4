export type { DeclaredJob } from './judge/rebuildable.ts';
export type { PlanTable } from './model/model.ts';
export type {
  Cause,
  CauseCode,
  Match,
  MatchValues,
  Plan,
  PlanFinding,
  Probe,
  Step,
  StepAction,
  Unaccounted,
  Unmapped,
} from './plan.ts';
export { type PlanErasure, planErasure } from './plan-erasure.ts';
