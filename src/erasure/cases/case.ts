import type { ConsentState } from '../../consent/index.ts';
import type { Place } from '../../errors.ts';
import type { Literal } from '../../values/literal.ts';
import type { Day, Instant } from '../../values/time.ts';
import type { StepAction } from '../plan/plan.ts';

/**
 * A pinned outcome: what must come out of the governance files, written beside them so that a change of a rule shows what it
 * changes (design section 2, policy cases).
 */
export type Case = RetentionCase | ConsentCase | PlanCase;

interface CaseOf<Kind extends string> {
  readonly kind: Kind;
  readonly name: string;
  readonly at: Place;
}

/** Rows that a table's rules must find due, or keep, on a day. */
export interface RetentionCase extends CaseOf<'retention'> {
  readonly table: string;
  readonly day: Day;
  /** Which of several rules, counted from 1; any of them where it is left out. */
  readonly rule?: number;
  readonly keptFrom?: Expected<Day>;
  readonly due: readonly Expected<CaseRow>[];
  readonly kept: readonly Expected<CaseRow>[];
}

/** Column to value; a column that is not named is NULL. */
export type CaseRow = ReadonlyMap<string, Literal>;

/** The consent that records must fold to. */
export interface ConsentCase extends CaseOf<'consent'> {
  readonly purpose: string;
  readonly instant: Instant;
  readonly records: readonly { readonly state: ConsentState; readonly changedAt: Instant }[];
  readonly state?: Expected<ConsentState>;
  readonly given?: Expected<boolean>;
}

/** Steps that the plan of a kind of subject must have. */
export interface PlanCase extends CaseOf<'plan'> {
  readonly subject: string;
  readonly steps: readonly Expected<ExpectedStep>[];
}

export interface ExpectedStep {
  readonly table: string;
  /** `none`: the plan must leave the table out. */
  readonly action: StepAction | 'none';
  readonly column?: string;
  readonly copyOf?: string;
}

/** What must come out, and where the file says so. */
export interface Expected<T> {
  readonly value: T;
  readonly at: Place;
}

/** An expectation that does not hold, at the line that states it. */
export interface CaseFailure extends Place {
  readonly message: string;
}
