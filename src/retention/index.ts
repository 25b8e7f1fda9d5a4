export { type AppliedDocument, type AppliedRule, applyRetention } from './apply.ts';
export { cutoff } from './cutoff.ts';
export { due } from './due.ts';
export {
  type DueDocument,
  type DueOptions,
  type DueRows,
  dueRows,
  type RetentionOptions,
} from './due-rows.ts';
export { type ExpireByAgeOptions, expireByAge } from './expire-by-age.ts';
