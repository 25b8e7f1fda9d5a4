import { fold } from '../../scan/text/fold.ts';
import type { Traces } from '../../scan/traces.ts';

/** Shorter ones stand in many a request's name by chance: `erasure-0001` is not about the learner 1. */
const LEAST_TEXT = 6;
const LEAST_ID = 4;

/**
 * Whether the name of a request says who it is about (rule E3): it holds the beginning of an identifying value, however its
 * parts are joined (`erase-ada.lovelace`), or an id as one of its words.
 */
export function namesPerson(name: string, traces: Traces, ids: readonly (readonly string[])[]): boolean {
  const bare = letters(name);
  const texts = traces.texts.reveal().map(({ text }) => letters(text));
  if (texts.some((text) => text.length >= LEAST_TEXT && bare.includes(text))) return true;
  const words = new Set(name.split(/[^\p{L}\p{N}]+/u).map(fold));
  return ids
    .flat()
    .some((part) => part.length >= LEAST_ID && (words.has(fold(part)) || bare === letters(part)));
}

/** Folded, and without what only joins: blanks, dots, at signs, dashes. */
function letters(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, '');
}
