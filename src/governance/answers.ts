/** What lineage could not tell (rule L5g). */
export const REVIEW_CAUSES = [
  'unknown-edge',
  'table-only',
  'uncovered-source',
  'cast-key',
  'masked-key',
  'two-people',
  'misaligned',
  'named-like-a-key',
  'incremental',
  'derived-from-kept',
  'no-rebuild',
] as const;

/** What stops a job otherwise and can be decided in a file (rules L2b and E2). */
export const REFUSALS = [
  'branch-or-tag',
  'deletion-vectors',
  'equality-deletes',
  'foreign-catalog',
  'gc-disabled',
  'keeps-snapshots',
  'mentions',
  'required-column',
  'unaccounted',
  'undeclared-reader',
  'unmapped',
  'unsupported-type',
] as const;

/** Everything that `answers` of an `[erasure.decisions]` entry may name. */
export const ANSWERS: readonly string[] = [...REVIEW_CAUSES, ...REFUSALS];
