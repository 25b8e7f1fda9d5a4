import type { Private } from '../values/private.ts';
import type { Tuple } from '../warehouse/warehouse.ts';

/**
 * What the scan looks for, noted before the erasure (rules S1 to S3). It lives in memory, and between the first delete and
 * the end of the scan in one private file, written by `sealTraces`. Made by `noteTraces` or `makeTraces`.
 */
export interface Traces {
  readonly subject: string;
  /** Folded beginnings of identifying and to-be-cleared values (rule S1). */
  readonly texts: Private<readonly TextTrace[]>;
  /** Ids, and typed values, by the columns in which they are looked for (rule S2). */
  readonly ids: Private<readonly IdTrace[]>;
  /** Hashes of whole values, as theta sketches keep them. */
  readonly hashes: Private<readonly HashTrace[]>;
  /** Counts only: no value leaves by serialising. */
  toJSON(): { readonly subject: string; readonly ids: number; readonly texts: number };
}

export interface TextTrace {
  readonly text: string;
  /** Values under four characters match whole cells only. */
  readonly wholeCell: boolean;
  /** Another person's identifying columns held it before the erasure (rule S3). */
  readonly shared: boolean;
}

/** The values of some columns of one table, or of every table that has columns of these names (`table: null`). */
export interface IdTrace {
  readonly table: string | null;
  readonly columns: readonly string[];
  readonly values: readonly Tuple[];
  /** Tables in which these ids are expected, because an exception keeps the rows. */
  readonly expectedIn: readonly string[];
  /** Another person had the same typed value (rule S3); never true of an id. */
  readonly shared: boolean;
}

/** The MurmurHash3 of a value's single-value form, in hexadecimal, without its lowest bit: what a theta sketch keeps. */
export interface HashTrace {
  readonly hash: string;
  readonly shared: boolean;
}
