export type {
  Case,
  CaseFailure,
  CaseRow,
  ConsentCase,
  Expected,
  ExpectedStep,
  PlanCase,
  RetentionCase,
} from './case.ts';
export { loadCases, parseCases } from './read-cases.ts';
export { type CaseResult, type RunCasesOptions, runCases } from './run-cases.ts';
