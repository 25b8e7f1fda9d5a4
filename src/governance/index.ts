export { REFUSALS, REVIEW_CAUSES } from './answers.ts';
export { type Fault, formatFault, GovernanceError } from './fault.ts';
export type * from './governance.ts';
export { type LoadOptions, loadGovernance, parseGovernance } from './load.ts';
