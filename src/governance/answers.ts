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

/** What else stops a job and can be decided in a file (rule E2). Anything that no decision can change is no answer's business. */
export const REFUSALS = ['branch-or-tag', 'mentions', 'unaccounted'] as const;

/** Everything that `answers` of an `[erasure.decisions]` entry may name. */
export const ANSWERS: readonly string[] = [...REVIEW_CAUSES, ...REFUSALS];
