import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonTexts, showsItsTexts } from '../../../src/scan/formats/json-values.ts';
import { parseJson } from '../../../src/values/json.ts';

const texts = (json: string): readonly string[] => [...jsonTexts(parseJson(json))].map(({ text }) => text);

describe('the texts of a JSON document', () => {
  test('are its keys, strings and numbers, none with a digit lost', () => {
    expect(texts('{"a":["b\\u00e9",9007199254740993,{"c":null}],"d":-1.5}')).toEqual([
      'a',
      'bé',
      '9007199254740993',
      'c',
      'd',
      '-1.5',
    ]);
  });

  test.each([
    ['an escaped letter', '{"a":"zo\\u00eb"}'],
    ['an escaped tab', '{"a":"b\\tc"}'],
    ['an escaped key', '{"b\\/c":1}'],
    ['a number with an exponent', '{"a":9.9001e3}'],
    ['such a number in a list', '[1, 99001E-1]'],
    ['such a number by itself', '99001e1'],
  ])('do not all stand in it as they are: %s', (_, json) => {
    expect(showsItsTexts(json)).toBe(false);
    expect(texts(json).every((text) => json.includes(text))).toBe(false);
  });

  test('stand in it as they are wherever it is said', () => {
    let shown = 0;
    fc.assert(
      fc.property(fc.json({ stringUnit: 'grapheme' }), (json) => {
        if (!showsItsTexts(json)) return;
        shown += 1;
        expect(texts(json).filter((text) => !json.includes(text))).toEqual([]);
      }),
      { seed: 20261001, numRuns: 500 },
    );
    expect(shown).toBeGreaterThan(100);
  });
});
