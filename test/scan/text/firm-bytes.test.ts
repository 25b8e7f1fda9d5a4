import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIRM, firmBytes, holdsAny } from '../../../src/scan/text/firm-bytes.ts';
import { fold } from '../../../src/scan/text/fold.ts';
import { TextSearch } from '../../../src/scan/text/text-search.ts';
import { text } from '../support/sought.ts';

const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value);
const firm = [...FIRM].map((byte) => String.fromCharCode(byte));
const holdsFirm = (value: string): boolean => firm.some((letter) => value.includes(letter));

/** Characters that fold to others, into one or out of several, beside plain ones. */
const letters = fc.constantFrom(...'aK\u212Aſsßﬁiı', '\u0307', 'é', 'e\u0301', '\u1FEF', ...'09@. _Z\0');
const some = (minLength: number, maxLength: number) =>
  fc.array(letters, { minLength, maxLength }).map((parts) => parts.join(''));

describe('bytes that no folding makes', () => {
  test('fold makes them out of no other character, alone or beside one', () => {
    const made: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const letter = String.fromCodePoint(point);
      if (!holdsFirm(letter) && holdsFirm(fold(letter) + fold(`a${letter}\u0301`))) made.push(letter);
    }
    expect(made).toEqual([]);
  });

  test('are chosen so that every pattern holds one, or not at all', () => {
    fc.assert(
      fc.property(fc.array(some(2, 6), { minLength: 1, maxLength: 12 }), (values) => {
        const chosen = firmBytes(values.map(utf8));
        if (chosen === null) return;
        for (const value of values) expect(holdsAny(utf8(value), chosen)).toBe(true);
      }),
      { seed: 3590, numRuns: 500 },
    );
    expect(firmBytes(['anna', 'a.b'].map(utf8))).toBeNull();
    expect(firmBytes(['1', '2', '3', '4', '5'].map(utf8))).toBeNull();
    expect(firmBytes(['a@b', 'c@d', 'e f'].map(utf8))).toEqual([0x40, 0x20]);
  });

  test('S1: what holds a trace once it is folded may hold it, in every writing', () => {
    fc.assert(
      fc.property(
        fc.array(some(2, 5), { minLength: 1, maxLength: 4 }),
        some(0, 6),
        some(0, 6),
        (traces, a, b) => {
          const folded = traces.map(fold).filter((trace) => utf8(trace).length >= 2);
          fc.pre(folded.length > 0);
          const search = new TextSearch(folded.map((trace) => text(trace)));
          for (const trace of traces) {
            for (const way of [trace, trace.toUpperCase(), trace.normalize('NFD'), fold(trace)]) {
              const whole = a + way + b;
              if (folded.some((each) => fold(whole).includes(each)))
                expect(search.mayHold(utf8(whole))).toBe(true);
            }
          }
        },
      ),
      { seed: 3590, numRuns: 500 },
    );
    expect(new TextSearch([text('a@b')]).mayHold(utf8('no such sign'))).toBe(false);
    // Whole cells are compared by themselves.
    expect(new TextSearch([text('a@b'), text('li', { wholeCell: true })]).mayHold(utf8('Li'))).toBe(true);
  });
});
