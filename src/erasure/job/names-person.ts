import { fold } from '../../scan/text/fold.ts';
import type { Traces } from '../../scan/traces.ts';

/** Shorter ones stand in many a request's name by chance: `erasure-0001` is not about the learner 1. */
const LEAST_TEXT = 6;
const LEAST_ID = 4;

/**
 * Whether the name of a request says who it is about (rule E3): it holds the beginning of an identifying value, however its
 * parts are joined (`erase-ada.lovelace`), or an id: a number as one of its numbers (`R003590`), another id however it is joined.
 */
export function namesPerson(name: string, traces: Traces, ids: readonly (readonly string[])[]): boolean {
  const bare = letters(name);
  const texts = traces.texts.reveal().map(({ text }) => letters(text));
  if (texts.some((text) => text.length >= LEAST_TEXT && bare.includes(text))) return true;
  const words = new Set(name.split(/[^\p{L}\p{N}]+/u).map(fold));
  const numbers = new Set((name.match(/\d+/g) ?? []).map((digits) => digits.replace(/^0+(?=\d)/, '')));
  return ids
    .flat()
    .filter((part) => part.length >= LEAST_ID)
    .some((part) => {
      if (/^-?\d+$/.test(part)) return numbers.has(part.replace('-', ''));
      const id = letters(part);
      return words.has(fold(part)) || bare === id || (id.length >= LEAST_TEXT && bare.includes(id));
    });
}

/** Folded, and without what only joins: blanks, dots, at signs, dashes. */
function letters(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, '');
}
