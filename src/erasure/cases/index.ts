export type { Case, CaseRow, ConsentCase, Expected, ExpectedStep, PlanCase, RetentionCase } from './case.ts';
export { loadCases, parseCases } from './read-cases.ts';
export { type CaseFailure, type CaseResult, type RunCasesOptions, runCases } from './run-cases.ts';
