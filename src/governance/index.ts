export { REFUSALS, REVIEW_CAUSES } from './answers.ts';
export { assertGovernance } from './check/assert-governance.ts';
export { checkGovernance } from './check/check-governance.ts';
export type { CheckedColumn, CheckedTable, Finding } from './check/finding.ts';
export { type Fault, formatFault, GovernanceError } from './fault.ts';
export type * from './governance.ts';
export { type LoadOptions, loadGovernance, parseGovernance } from './load.ts';
