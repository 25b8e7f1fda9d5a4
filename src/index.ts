export { FailedError, InputError, LetheError, type Place, RefusedError } from './errors.ts';
export {
  type Governance,
  loadGovernance,
  parseGovernance,
} from './governance/index.ts';
export { compileSql, evaluate, type Predicate } from './predicate/index.ts';
export {
  applyProperties,
  missingProperties,
  tableProperties,
} from './properties/index.ts';
export { erasedRows, filterErased, openRegister, type Register, reapply } from './register/index.ts';
