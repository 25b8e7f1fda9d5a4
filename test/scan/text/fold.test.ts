import { describe, expect, test } from 'vitest';
import { fold } from '../../../src/scan/text/fold.ts';

describe('fold', () => {
  test.each([
    ['É in either case', 'JOSÉ', 'josé'],
    ['a decomposed accent', 'Jose\u0301', 'José'],
    ['the Kelvin sign', '\u212Aaz', 'kaz'],
    ['long s', 'Sto\u017Fs', 'stoss'],
    ['ß and SS', 'HAUPTSTRASSE', 'Hauptstraße'],
    ['the capital ẞ', 'GROẞE', 'große'],
    ['the ligature ﬁ', 'ﬁsher', 'FIsher'],
    ['dotless i', 'ıstanbul', 'ISTANBUL'],
    ['a final sigma', 'ΟΔΟΣ', 'οδος'],
  ])('makes two writings equal: %s', (_, one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  test('meets every letter of Unicode in its other case, and taken apart', () => {
    const apart: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const letter = String.fromCodePoint(point);
      if (!/\p{Changes_When_Casemapped}/u.test(letter)) continue;
      const ways = [letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD'), fold(letter)];
      if (ways.some((way) => fold(way) !== fold(letter))) apart.push(letter);
    }
    expect(apart).toEqual([]);
  });

  test.each([
    ['an accent that is left out', 'José', 'Jose'],
    ['full-width letters', 'Ａnna', 'Anna'],
    ['İ and i', 'İzmir', 'izmir'],
  ])('keeps apart: %s', (_, one, other) => {
    expect(fold(one)).not.toBe(fold(other));
  });
});
