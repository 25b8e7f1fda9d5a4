import { consentAt, isGiven } from '../../consent/index.ts';
import type { CaseFailure, ConsentCase } from './case.ts';

/** Folds the case's records and compares the state, and whether it is given. */
export function runConsentCase(one: ConsentCase): CaseFailure[] {
  const { purpose, instant } = one;
  const subject = 'the person of the case';
  const records = one.records.map((record) => ({ ...record, subject, purpose }));
  const state = consentAt({ records, purpose, subject, instant });
  const failures: CaseFailure[] = [];
  if (one.state !== undefined && one.state.value !== state) {
    failures.push({ ...one.state.at, message: `the state is ${state}, not ${one.state.value}` });
  }
  if (one.given !== undefined && one.given.value !== isGiven(state)) {
    failures.push({ ...one.given.at, message: `${state} is ${isGiven(state) ? '' : 'not '}given` });
  }
  return failures;
}
