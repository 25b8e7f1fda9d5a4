import type { Place } from '../../errors.ts';
import type { TomlTable } from '../../governance/toml/document.ts';
import type { Day } from '../../values/time.ts';

/** One pinned outcome of `governance/cases/*.toml`: what the rules must decide. */
export type PolicyCase = RetentionCase | ConsentCase | PlanCase;

interface Named {
  readonly name: string;
  readonly at: Place;
}

/** On a day, a table's rules keep from a certain day on, and these rows are due and those are kept. */
export interface RetentionCase extends Named {
  readonly kind: 'retention';
  readonly table: string;
  readonly day: Day;
  readonly keptFrom: Day | null;
  readonly due: readonly TomlTable[];
  readonly kept: readonly TomlTable[];
}

/** The filter of a purpose lets these rows through and those not. */
export interface ConsentCase extends Named {
  readonly kind: 'consent';
  readonly purpose: string;
  readonly given: readonly TomlTable[];
  readonly notGiven: readonly TomlTable[];
}

/** The plan for a kind of subject has exactly these steps. */
export interface PlanCase extends Named {
  readonly kind: 'plan';
  readonly subject: string;
  readonly steps: ReadonlyMap<string, ExpectedStep>;
}

/** What is given must hold; what is left out may be anything. */
export interface ExpectedStep {
  readonly action: string;
  readonly column?: string | undefined;
  readonly copyOf?: string | undefined;
  readonly clear?: readonly string[] | undefined;
  readonly job?: string | undefined;
}

/** How a case came out: `why` is empty where it passed. */
export interface CaseResult extends Place {
  readonly kind: PolicyCase['kind'];
  readonly name: string;
  readonly passed: boolean;
  readonly why: readonly string[];
}
