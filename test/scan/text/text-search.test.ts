import { describe, expect, test } from 'vitest';
import { fold } from '../../../src/scan/text/fold.ts';
import { TextSearch } from '../../../src/scan/text/text-search.ts';
import { Verdict } from '../../../src/scan/text/verdict.ts';
import { text } from '../support/sought.ts';

const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value);
const utf16 = (value: string, big = false): Uint8Array => {
  const bytes = Buffer.from(value, 'utf16le');
  return big ? bytes.swap16() : bytes;
};

function inBytes(search: TextSearch, bytes: Uint8Array): boolean {
  const verdict = new Verdict();
  search.raw(bytes, verdict, { utf16: true });
  return verdict.found;
}

function inText(search: TextSearch, value: string): boolean {
  const verdict = new Verdict();
  search.text(value, verdict);
  return verdict.found;
}

describe('TextSearch', () => {
  const search = new TextSearch([text(fold('zoë.müller@exam'))]);

  test.each([
    ['as it is', utf8('x zoë.müller@example.org')],
    ['in capitals', utf8('x ZOË.MÜLLER@EXAMPLE.ORG')],
    ['decomposed', utf8('x zoë.müller@example.org'.normalize('NFD'))],
    ['escaped as JSON', utf8('{"e":"zo\\u00eb.m\\u00fcller@example.org"}')],
    ['percent-encoded', utf8('p/email=zo%C3%AB.m%c3%bcller%40example.org/x')],
    ['in UTF-16', utf16('x zoë.müller@example.org')],
    ['in UTF-16 of the other order', utf16('x zoë.müller@example.org', true)],
    ['in UTF-16 at an odd place', Buffer.concat([Buffer.from('!'), utf16('zoë.müller@example.org')])],
    [
      'between bytes that are no text',
      Buffer.concat([Buffer.from([0xff, 0xc3]), utf8('zoë.müller@example.org'), Buffer.from([0x80])]),
    ],
  ])('finds a trace in bytes %s', (_, bytes) => {
    expect(inBytes(search, bytes)).toBe(true);
  });

  test.each(['zoe.muller@example.org', 'zoë.müller@else', ''])(
    'finds none where there is none: %s',
    (value) => {
      expect(inBytes(search, utf8(value))).toBe(false);
      expect(inText(search, value)).toBe(false);
    },
  );

  test.each(['100%', 'a_b%', "'; drop table", '👩🏽‍🚀 crew', 'no\u0308el x', 'a\\b\\c', '\u{10FFFF}abc'])(
    'a value is nothing but a value: %s',
    (value) => {
      const one = new TextSearch([text(fold(value))]);
      expect(inText(one, `x ${value} y`)).toBe(true);
      expect(inBytes(one, utf8(`x ${value} y`))).toBe(true);
      expect(inText(one, 'x 100a aXb- drop crew noel abc y')).toBe(false);
    },
  );

  test('S1: a short value matches whole cells only', () => {
    const short = new TextSearch([text('li', { wholeCell: true })]);
    expect(inText(short, 'Li')).toBe(true);
    expect(inText(short, 'alice')).toBe(false);
    expect(inBytes(short, utf8('1,Li,Berlin\n2,Ann,Linz\n'))).toBe(true);
    expect(inBytes(short, utf8('1,Alice,Berlin\n2,Ann,Linz\n'))).toBe(false);
  });

  test('S3: a shared trace is noted as shared, and a plain one beside it still counts', () => {
    const both = new TextSearch([text('anna schmidt', { shared: true }), text('a.schmidt@exampl')]);
    const verdict = new Verdict();
    both.text('Anna Schmidt', verdict);
    expect([verdict.found, verdict.shared]).toEqual([false, true]);
    both.text('A.Schmidt@example.org', verdict);
    expect(verdict.found).toBe(true);
  });

  test('without texts nothing is found', () => {
    expect(inText(new TextSearch([]), 'anything')).toBe(false);
    expect(inBytes(new TextSearch([]), utf8('anything'))).toBe(false);
  });
});
