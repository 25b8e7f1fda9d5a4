import { describe, expect, test } from 'vitest';
import { fold } from '../../../src/scan/text/fold.ts';

describe('fold', () => {
  test.each([
    ['É in either case', 'JOSÉ', 'josé'],
    ['a decomposed accent', 'Jose\u0301', 'José'],
    ['the Kelvin sign', '\u212Aaz', 'kaz'],
    ['long s', 'Sto\u017Fs', 'stoss'],
    ['ß and SS', 'HAUPTSTRASSE', 'Hauptstraße'],
    ['the ligature ﬁ', 'ﬁsher', 'FIsher'],
    ['dotless i', 'ıstanbul', 'ISTANBUL'],
    ['a final sigma', 'ΟΔΟΣ', 'οδος'],
  ])('makes two writings equal: %s', (_, one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  test.each([
    ['an accent that is left out', 'José', 'Jose'],
    ['full-width letters', 'Ａnna', 'Anna'],
    ['İ and i', 'İzmir', 'izmir'],
  ])('keeps apart: %s', (_, one, other) => {
    expect(fold(one)).not.toBe(fold(other));
  });
});
