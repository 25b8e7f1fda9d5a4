import { codePoints, fold } from '../text/fold.ts';
import type { TextTrace } from '../traces.ts';

/** Shorter values match whole cells only: inside of other text they would say nothing. */
const LEAST_CONTAINED = 4;

/**
 * The trace of a value (rule S1): its first `kept - 1` characters, or all of it where it is shorter, folded. `kept` is the smallest
 * length to which a bound may be cut: of a value that is a file's greatest, the last kept character is raised by one.
 *
 * Characters are code points. Where one folds to several, or is written as several in another normal form, fewer are
 * taken, so that the trace stands in every writing of the value, however it was cut; and never the half of one that composes
 * with what follows.
 *
 * Returns null for blank text, which would name everybody.
 */
export function traceText(value: string, kept: number): Omit<TextTrace, 'shared'> | null {
  if (value.trim() === '') return null;
  const folded = fold(value);
  const characters = [...value];
  const whole = longest(value) <= kept - 1 ? folded : null;
  if (whole !== null) return asTrace(whole);
  for (let count = Math.min(characters.length, kept - 1); count > 0; count--) {
    const beginning = characters.slice(0, count).join('');
    if (longest(beginning) > kept - 1) continue;
    const trace = fold(beginning);
    if (folded.startsWith(trace)) return asTrace(trace);
  }
  return null;
}

/** Code points of the longest writing of a text that folds to the same. */
function longest(text: string): number {
  return Math.max(
    codePoints(text),
    codePoints(fold(text).normalize('NFD')),
    codePoints(text.normalize('NFD')),
  );
}

function asTrace(text: string): Omit<TextTrace, 'shared'> {
  const trimmed = text.trim();
  const wholeCell = codePoints(trimmed) < LEAST_CONTAINED;
  return { text: wholeCell ? trimmed : text, wholeCell };
}
