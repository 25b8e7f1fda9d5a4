import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/values/digest.ts';
import { canonicalJson, parseJson, stringifyJson } from '../../src/values/json.ts';
import { nearest } from '../../src/values/nearest.ts';

describe('JSON without loss', () => {
  test('integers past 2^53 are bigints and are written as they were', () => {
    const text = '{"id":9007199254740993,"n":1.5,"m":-9223372036854775808,"s":42}';
    expect(parseJson(text)).toEqual({ id: 9007199254740993n, n: 1.5, m: -9223372036854775808n, s: 42 });
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test('a __proto__ key is an ordinary key', () => {
    const value = parseJson('{"__proto__":{"polluted":true}}') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('what is no JSON is an error with its position and without its text', () => {
    const read = () => parseJson('{"name": "Alexa Reed" x}');
    expect(read).toThrowError(expect.objectContaining({ code: 'values/json', data: { position: 22 } }));
    expect(read).toThrowError(expect.not.stringContaining('Alexa'));
    expect(() => parseJson('')).toThrowError(expect.objectContaining({ code: 'values/json' }));
  });
});

describe('canonical JSON', () => {
  test('the example of RFC 8785, section 3.2.2, comes out as section 3.2.3 prints it', () => {
    const input = {
      numbers: JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]'),
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(input)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('the order of RFC 8785, section 3.2.3: by UTF-16 code units', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const written = canonicalJson(Object.fromEntries(keys.map((key) => [key, key])));
    expect(Object.keys(JSON.parse(written)).filter((key) => key !== '1')).toEqual(
      sorted.filter((key) => key !== '1'),
    );
    expect(written.indexOf('"\\r"')).toBeLessThan(written.indexOf('"1"'));
  });

  test('does not depend on the order of keys, and reads back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const written = canonicalJson(value);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(written);
      }),
      { seed: 8785 },
    );
  });

  test('what JSON cannot write is an error', () => {
    expect(() => canonicalJson(Number.NaN)).toThrowError(expect.objectContaining({ code: 'values/json' }));
    expect(canonicalJson({ a: undefined, b: 9007199254740993n })).toBe('{"b":9007199254740993}');
  });
});

test('SHA-256 of FIPS 180-4 ("abc")', async () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256('abc')).toBe(digest);
  expect(await sha256(Uint8Array.of(97, 98, 99))).toBe(digest);
});

describe('the nearest name', () => {
  test.each([
    ['keep_day', 'keep_days'],
    ['kep_days', 'keep_days'],
    ['counted_form', 'counted_from'],
    ['KEEP_DAYS', 'keep_days'],
  ])('%s means %s', (name, meant) => {
    expect(nearest(name, ['counted_from', 'keep_days', 'only_when'])).toBe(meant);
  });

  test('nothing near is nothing', () => {
    expect(nearest('retention', ['keep_days', 'x'])).toBeNull();
    expect(nearest('x', [])).toBeNull();
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}
