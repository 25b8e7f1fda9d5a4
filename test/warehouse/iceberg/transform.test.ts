import { describe, expect, test } from 'vitest';
import type { Comparable } from '../../../src/warehouse/iceberg/manifest/single-value.ts';
import { bucketHash } from '../../../src/warehouse/iceberg/metadata/bucket-hash.ts';
import { transformOf } from '../../../src/warehouse/iceberg/metadata/transform.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const hex = (digits: string): Uint8Array => new Uint8Array(Buffer.from(digits, 'hex'));
const DAY = 17486n; // 2017-11-16
const MICROS = DAY * 86_400_000_000n + ((22n * 60n + 31n) * 60n + 8n) * 1_000_000n;
const apply = (transform: string, type: string, value: Comparable | null): Comparable | null =>
  transformOf(transform, type)!(value);

describe('buckets', () => {
  /** The test values of the specification's Appendix B. */
  test.each<readonly [string, string, Comparable, number]>([
    ['34', 'int', 34n, 2017239379],
    ['34', 'long', 34n, 2017239379],
    ['14.20', 'decimal(9, 2)', 1420n, -500754589],
    ['2017-11-16', 'date', DAY, -653330422],
    ['22:31:08', 'time', MICROS - DAY * 86_400_000_000n, -662762989],
    ['2017-11-16T22:31:08', 'timestamp', MICROS, -2047944441],
    ['2017-11-16T22:31:08.000001', 'timestamptz', MICROS + 1n, -1207196810],
    ['2017-11-16T22:31:08.000001001', 'timestamp_ns', (MICROS + 1n) * 1000n + 1n, -1207196810],
    ['iceberg', 'string', utf8('iceberg'), 1210000089],
    ['f79c3e09-…', 'uuid', hex('f79c3e09677c4bbda4793f349cb785e7'), 1488055340],
    ['00 01 02 03', 'binary', hex('00010203'), -188683207],
    ['00 01 02 03', 'fixed[4]', hex('00010203'), -188683207],
  ])('%s as %s', (_, type, value, hash) => {
    for (const width of [1, 7, 16, 100_000]) {
      expect(apply(`bucket[${width}]`, type, value)).toBe(BigInt((hash & 0x7fffffff) % width));
    }
  });

  test('hash bytes of every length', () => {
    // Published vectors of MurmurHash3_x86_32 with seed 0.
    expect(bucketHash(utf8(''))).toBe(0);
    expect(bucketHash(utf8('test')) >>> 0).toBe(0xba6bd213);
    expect(bucketHash(utf8('Hello, world!')) >>> 0).toBe(0xc0363e43);
    expect(bucketHash(utf8('The quick brown fox jumps over the lazy dog')) >>> 0).toBe(0x2e4ff723);
  });
});

describe('other transforms', () => {
  /** The specification's examples, and days around 1970. */
  test.each<readonly [string, string, Comparable, Comparable | null]>([
    ['truncate[10]', 'int', 1n, 0n],
    ['truncate[10]', 'int', -1n, -10n],
    ['truncate[10]', 'long', 10n, 10n],
    ['truncate[50]', 'decimal(9, 2)', 1065n, 1050n],
    ['truncate[3]', 'string', utf8('iceberg'), utf8('ice')],
    ['truncate[2]', 'string', utf8('😀é€'), utf8('😀é')],
    ['truncate[3]', 'binary', hex('0102030405'), hex('010203')],
    ['year', 'date', DAY, 47n],
    ['month', 'date', DAY, 47n * 12n + 10n],
    ['day', 'date', DAY, DAY],
    ['year', 'date', -1n, -1n],
    ['month', 'date', -1n, -1n],
    ['day', 'timestamp', -1n, -1n],
    ['hour', 'timestamp', -1n, -1n],
    ['year', 'timestamptz', MICROS, 47n],
    ['month', 'timestamptz', MICROS, 574n],
    ['day', 'timestamptz', MICROS, DAY],
    ['hour', 'timestamptz', MICROS, DAY * 24n + 22n],
    ['hour', 'timestamp_ns', MICROS * 1000n, DAY * 24n + 22n],
    ['identity', 'string', utf8('a'), utf8('a')],
    ['void', 'string', utf8('a'), null],
  ])('%s of a %s', (transform, type, value, expected) => {
    expect(apply(transform, type, value)).toEqual(expected);
    expect(apply(transform, type, null)).toBeNull();
  });

  test.each([
    ['zorder', 'int'],
    ['bucket', 'int'],
    ['bucket[0]', 'int'],
    ['bucket[4]', 'double'],
    ['truncate[4]', 'date'],
    ['hour', 'date'],
    ['year', 'string'],
    ['identity[2]', 'int'],
  ])('%s of a %s is none', (transform, type) => {
    expect(transformOf(transform, type)).toBeUndefined();
  });
});
