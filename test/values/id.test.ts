import { Int64, tableFromArrays, vectorFromArray } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { canonicalId, idLiteral, idLiteralIn } from '../../src/values/id.ts';

describe('long and int', () => {
  test('a text "3590" meets the long 3590, whatever the reader gives', () => {
    const forms = [
      '3590',
      3590,
      3590n,
      ' 3590\n',
      '+3590',
      '003590',
      '3590.0',
      { type: 'text', value: '3590' },
    ];
    expect(new Set(forms.map((form) => canonicalId('long', form)))).toEqual(new Set(['3590']));
  });

  test('values out of Arrow are ids as they are', () => {
    const table = tableFromArrays({ id: BigInt64Array.of(9007199254740993n) });
    expect(canonicalId('long', table.getChild('id')!.get(0))).toBe('9007199254740993');
    expect(canonicalId('long', vectorFromArray([5n], new Int64()).get(0))).toBe('5');
  });

  test.each(['1e3', '3590.5', '0x1F', '3 590', '3,590', '', '  ', '-', '--5', '٣٥٩٠', 'NaN', 'Infinity'])(
    'the text %j is no integer',
    (text) => {
      expect(canonicalId('long', text)).toBeNull();
    },
  );

  test.each([
    1.5,
    Number.NaN,
    2 ** 53,
    -(2 ** 60),
    true,
    null,
    undefined,
    [3590],
    { id: 3590 },
    new Uint8Array(8),
  ])('%s is no integer id', (value) => {
    expect(canonicalId('long', value)).toBeNull();
  });

  test('an id out of range of its type is no id', () => {
    expect(canonicalId('long', '9223372036854775807')).toBe('9223372036854775807');
    expect(canonicalId('long', '9223372036854775808')).toBeNull();
    expect(canonicalId('long', '-9223372036854775808')).toBe('-9223372036854775808');
    expect(canonicalId('int', 2147483647)).toBe('2147483647');
    expect(canonicalId('int', 2147483648)).toBeNull();
    expect(canonicalId('int', '-2147483649')).toBeNull();
  });

  test('minus zero is zero', () => {
    expect(canonicalId('int', '-0')).toBe('0');
    expect(canonicalId('int', -0)).toBe('0');
  });
});

describe('text', () => {
  test('stays as it is written: leading zeros, case, accents and blanks tell people apart', () => {
    for (const id of ['003590', 'Ab', 'é', 'e\u0301', ' x ', "'; drop", '%', '👩‍🎓', '1e3']) {
      expect(canonicalId('text', id)).toBe(id);
    }
  });

  test('a number is the text of its digits', () => {
    expect(canonicalId('text', 3590n)).toBe('3590');
    expect(canonicalId('text', 3590)).toBe('3590');
  });

  test('blank text would name everybody without an id, so it is none', () => {
    expect(canonicalId('text', '')).toBeNull();
    expect(canonicalId('text', ' \t')).toBeNull();
    expect(canonicalId('text', '\ud800')).toBeNull();
  });
});

describe('uuid', () => {
  const uuid = 'f79c3e09-677c-4bbd-a479-3f349cb785e7';

  test('meets itself in every form', () => {
    const bytes = Uint8Array.from(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
    const forms = [
      uuid,
      uuid.toUpperCase(),
      `{${uuid}}`,
      `urn:uuid:${uuid}`,
      uuid.replaceAll('-', ''),
      bytes,
    ];
    expect(new Set(forms.map((form) => canonicalId('uuid', form)))).toEqual(new Set([uuid]));
  });

  test.each([uuid.slice(1), `${uuid}0`, uuid.replace('f', 'g'), new Uint8Array(15), 5])(
    '%s is none',
    (value) => {
      expect(canonicalId('uuid', value)).toBeNull();
    },
  );
});

test('a canonical id as a constant, of its own type or of a column', () => {
  expect(idLiteral('long', '5')).toEqual({ type: 'long', value: '5' });
  expect(idLiteralIn('string', '3590')).toEqual({ type: 'text', value: '3590' });
  expect(idLiteralIn('int', '3590')).toEqual({ type: 'int', value: '3590' });
  expect(idLiteralIn('int', '9007199254740993')).toBeNull();
  expect(idLiteralIn('decimal(10, 0)', '3590')).toEqual({ type: 'decimal', value: '3590' });
  expect(idLiteralIn('long', 'abc')).toBeNull();
  expect(idLiteralIn('date', '3590')).toBeNull();
  expect(idLiteralIn('fixed[16]', 'f79c3e09-677c-4bbd-a479-3f349cb785e7')).toEqual({
    type: 'binary',
    value: 'f79c3e09677c4bbda4793f349cb785e7',
  });
});
