import type { Predicate } from './predicate.ts';

/** The columns that a predicate reads, each once, sorted. */
export function columnsOf(predicate: Predicate): string[] {
  return [...new Set(mentioned(predicate))].sort();
}

function mentioned(predicate: Predicate): string[] {
  switch (predicate.kind) {
    case 'always':
    case 'never':
      return [];
    case 'compare':
    case 'in':
    case 'is-null':
    case 'before-day':
      return [predicate.column];
    case 'not':
      return mentioned(predicate.of);
    case 'and':
    case 'or':
      return predicate.of.flatMap(mentioned);
  }
}
