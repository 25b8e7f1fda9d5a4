export * from './consent/index.ts';
export * from './erasure/index.ts';
export {
  type ErrorData,
  type ErrorDetail,
  type ErrorKind,
  FailedError,
  InputError,
  LetheError,
  type Place,
  RefusedError,
} from './errors.ts';
export * from './governance/index.ts';
export * from './lineage/index.ts';
export * from './predicate/index.ts';
export * from './properties/index.ts';
export * from './register/index.ts';
export * from './retention/index.ts';
export * from './scan/index.ts';
export * from './storage/index.ts';
export type { IdType } from './values/id.ts';
export type { Literal, ScalarType } from './values/literal.ts';
export type { Period } from './values/period.ts';
export type { Private } from './values/private.ts';
export type { Clock, Day, Instant, Random } from './values/time.ts';
export * from './warehouse/index.ts';
