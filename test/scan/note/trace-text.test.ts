import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { traceText } from '../../../src/scan/note/trace-text.ts';
import { fold } from '../../../src/scan/text/fold.ts';
import { TextSearch } from '../../../src/scan/text/text-search.ts';
import { Verdict } from '../../../src/scan/text/verdict.ts';

const found = (trace: string, value: string): boolean => {
  const verdict = new Verdict();
  new TextSearch([{ text: trace, wholeCell: false, shared: false }]).text(value, verdict);
  return verdict.found;
};

/** An upper bound by the specification: the first `length` code points, the last that can be raised by one. */
function raised(value: string, length: number): string {
  const kept = [...value].slice(0, length);
  while (kept.length > 0) {
    let next = kept.pop()!.codePointAt(0)! + 1;
    if (next === 0xd800) next = 0xe000;
    if (next <= 0x10ffff) return kept.join('') + String.fromCodePoint(next);
  }
  return '';
}

describe('traceText', () => {
  test.each([
    ['ALEXA590@POST.EXAMPLE', 16, 'alexa590@post.e'],
    ['zofia.haase@example.org', 16, 'zofia.haase@exa'],
    ['short@x.org', 16, 'short@x.org'],
    ['exactly15chars!', 16, 'exactly15chars!'],
    ['exactly16chars!!', 16, 'exactly16chars!'],
    ['zofia.haase@example.org', 8, 'zofia.h'],
  ])('S1: the first n-1 characters, folded: %s, n = %i', (value, kept, trace) => {
    expect(traceText(value, kept)).toEqual({ text: trace, wholeCell: false });
  });

  test('S1: under four characters a value matches whole cells only, and a blank one is no trace', () => {
    expect(traceText('Li', 16)).toEqual({ text: 'li', wholeCell: true });
    expect(traceText('李明', 16)).toEqual({ text: '李明', wholeCell: true });
    expect(traceText('  ', 16)).toBeNull();
    expect(traceText('', 16)).toBeNull();
  });

  test('S1: a trace never ends in half of a character that composes with the next', () => {
    const decomposed = 'abcdefghijklmne\u0301xyz';
    expect(traceText(decomposed, 16)!.text).toBe('abcdefghijklmn');
    expect(fold(decomposed).startsWith(traceText(decomposed, 16)!.text)).toBe(true);
  });

  const character = fc.constantFrom(
    'a',
    'B',
    'é',
    'e\u0301',
    'ß',
    'Σ',
    'ﬁ',
    '山',
    '👩🏽‍🚀',
    '%',
    '_',
    ' ',
    "'",
    '@',
    '.',
  );
  const value = fc.array(character, { minLength: 8, maxLength: 40 }).map((parts) => `x${parts.join('')}`);

  test('S1: a bound cut to n characters is found, the lower as it is and the upper raised by one', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 8, max: 16 }), (whole, kept) => {
        for (const written of [whole, whole.normalize('NFC'), whole.normalize('NFD'), whole.toUpperCase()]) {
          const trace = traceText(whole, kept)!;
          fc.pre(!trace.wholeCell);
          expect(found(trace.text, written)).toBe(true);
          const lower = [...written].slice(0, kept).join('');
          expect(found(trace.text, lower), 'lower').toBe(true);
          if ([...written].length > kept)
            expect(found(trace.text, raised(written, kept)), 'upper').toBe(true);
        }
      }),
      { seed: 3590, numRuns: 500 },
    );
  });
});
