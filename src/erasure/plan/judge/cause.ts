import type { CauseCode } from '../plan.ts';

/** A cause as it is found, with the columns that its probe asks about. */
export interface FoundCause {
  readonly code: CauseCode;
  readonly what: string;
  /** The column in question, and the column that it is compared with. */
  readonly column?: number;
  readonly against?: number;
  /** The key under which the column that it is compared with stands. */
  readonly under?: readonly number[];
  /** A rebuild does not answer it, whatever it does for others of its code. */
  readonly stays?: boolean;
  /** Keys that are compared with each other. */
  readonly keys?: readonly (readonly number[])[];
}

/** Each cause once. */
export function distinct(causes: readonly FoundCause[]): readonly FoundCause[] {
  return [...new Map(causes.map((cause) => [`${cause.code} ${cause.what}`, cause])).values()];
}
