import { Buffer, isAscii } from 'node:buffer';
import { quoteText } from '../../../../predicate/index.ts';
import type { IcebergType } from '../../../schema.ts';
import type { Column } from '../columns.ts';

/** More are found faster by one search for all of them, outside of DuckDB. */
const MOST_TEXTS = 50;

/**
 * The letters of which folding (rule S1) makes ASCII: ß is ss, the Kelvin sign is k. All others that are not ASCII stay so, whatever
 * stands beside them: an ASCII text that is there after folding was there before, in one case or another.
 */
const FOLDED_TO_ASCII = '[\u00df\u0130\u0131\u0149\u017f\u037e\u1e9a\u1e9e\u1fef\u212a\ufb00-\ufb06]';

/**
 * The condition that leaves out rows in none of whose texts one of some folded texts can stand, in whatever case. Where one of these
 * is not ASCII, what is not ASCII passes: it can be written in ways that SQL does not tell are the same. True for every row where a
 * column holds texts inside of lists, maps or structs.
 */
export function textsMayHold(columns: readonly Column[], texts: readonly string[]): string {
  if (texts.length > MOST_TEXTS || texts.some((text) => text.includes('\0'))) return 'TRUE';
  const ascii = texts.filter((text) => isAscii(Buffer.from(text)));
  const sought = ascii.map((text) => quoteText('duckdb', text));
  const tests = columns.map(({ sql, field }) => {
    if (field.type !== 'string') return hasText(field.type) ? 'TRUE' : 'FALSE';
    const held = sought.map((text) => `contains(lower(${sql}), ${text})`);
    const letters = ascii.length < texts.length ? '' : ` AND ${foldsToAscii(sql)}`;
    return [`strlen(${sql}) <> length(${sql})${letters}`, ...held].join(' OR ');
  });
  return tests.length === 0 ? 'TRUE' : tests.join(' OR ');
}

function foldsToAscii(sql: string): string {
  return `regexp_matches(${sql}, ${quoteText('duckdb', FOLDED_TO_ASCII)})`;
}

function hasText(type: IcebergType): boolean {
  if (typeof type === 'string') return type === 'string';
  switch (type.type) {
    case 'struct':
      return type.fields.some((field) => hasText(field.type));
    case 'list':
      return hasText(type.element);
    case 'map':
      return hasText(type.key) || hasText(type.value);
  }
}
