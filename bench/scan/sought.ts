/** What Lethe and its peers look for in one run. */
export interface Sought {
  /** In lower case. */
  readonly texts: readonly string[];
  readonly ids: readonly number[];
  readonly textColumns: readonly string[];
  readonly idColumns: readonly string[];
}
