export { consentAt, consentFilter, staleTables } from './consent/index.ts';
export { FailedError, InputError, LetheError, type Place, RefusedError } from './errors.ts';
export {
  checkGovernance,
  type Governance,
  GovernanceError,
  loadGovernance,
  parseGovernance,
} from './governance/index.ts';
export { and, compileSql, equals, evaluate, not, oneOf, or, type Predicate } from './predicate/index.ts';
export {
  applyProperties,
  missingProperties,
  tableProperties,
} from './properties/index.ts';
export { erasedRows, filterErased, openRegister, type Register, reapply } from './register/index.ts';
export { applyRetention, cutoff, due, dueRows, expireByAge } from './retention/index.ts';
