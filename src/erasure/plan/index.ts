export { isSamePlan, type PlanDiff, planDiff } from './diff.ts';
export { type ExplainedEdge, type Explanation, explain } from './explain.ts';
export type { DeclaredJob } from './judge/rebuildable.ts';
export type { PlanTable } from './model/model.ts';
export { openGaps } from './open-gaps.ts';
export type {
  Cause,
  CauseCode,
  Match,
  MatchValues,
  Plan,
  PlanFinding,
  Probe,
  Question,
  Step,
  StepAction,
  Unaccounted,
  Unmapped,
} from './plan.ts';
export { type PlanErasure, planErasure } from './plan-erasure.ts';
export { planDiffMarkdown } from './render/diff-markdown.ts';
export { planHtml } from './render/html.ts';
export { type MermaidOptions, planMermaid } from './render/mermaid.ts';
export { openQuestions } from './render/step-text.ts';
export { planText } from './render/text.ts';
export { type ProbeAnswer, runProbes } from './run-probes.ts';
