import { describe, expect, test } from 'vitest';
import type { Predicate } from '../../../../src/predicate/predicate.ts';
import type { Literal } from '../../../../src/values/literal.ts';
import { fileExtent } from '../../../../src/warehouse/iceberg/read/extent.ts';
import { allMatch, mayMatch, pruner } from '../../../../src/warehouse/iceberg/read/prune.ts';
import { fileOf, long, SCHEMA, text } from './tested-table.ts';

describe('partition values', () => {
  const spec = (transform: string, sourceId: number) => [
    { id: 0, fields: [] },
    { id: 7, fields: [{ fieldId: 1000, sourceIds: [sourceId], name: 'p', transform }] },
  ];
  const prune = (transform: string, sourceId: number, value: Literal | null, where: Predicate) =>
    pruner(where, { schema: SCHEMA, specs: spec(transform, sourceId) })(
      fileExtent(fileOf({ specId: 7, partition: [value] })),
    );
  const at = (op: '<' | '>=', value: string): Predicate => ({
    kind: 'compare',
    column: 'at',
    op,
    value: { type: 'timestamptz', value },
  });
  const before = (day: string, timeZone: string): Predicate => ({
    kind: 'before-day',
    column: 'at',
    day,
    timeZone,
  });

  test('R6: identity proves a whole file, and its absence from all others', () => {
    const where: Predicate = { kind: 'compare', column: 'id', op: '=', value: long(7n) };
    expect(allMatch(prune('identity', 1, long(7n), where))).toBe(true);
    expect(mayMatch(prune('identity', 1, long(8n), where))).toBe(false);
    expect(mayMatch(prune('identity', 1, null, where))).toBe(false);
    expect(allMatch(prune('identity', 1, null, { kind: 'is-null', column: 'id' }))).toBe(true);
  });

  test('R6: a day before the cutoff goes whole, the day after it is not touched', () => {
    const day = (value: string): Literal => ({ type: 'date', value });
    const cutoff = at('<', '2026-10-01T00:00:00Z');
    expect(allMatch(prune('day', 4, day('2026-09-30'), cutoff))).toBe(true);
    expect(mayMatch(prune('day', 4, day('2026-10-01'), cutoff))).toBe(false);
    const noon = at('<', '2026-10-01T12:00:00Z');
    expect([
      mayMatch(prune('day', 4, day('2026-10-01'), noon)),
      allMatch(prune('day', 4, day('2026-10-01'), noon)),
    ]).toEqual([true, false]);
  });

  test('a day of another zone leaves its neighbours open', () => {
    const day = (value: string): Literal => ({ type: 'date', value });
    const outcome = (value: string, zone: string) => {
      const outcomes = prune('day', 4, day(value), before('2026-10-01', zone));
      return allMatch(outcomes) ? 'all' : mayMatch(outcomes) ? 'some' : 'none';
    };
    expect(outcome('2026-09-30', 'UTC')).toBe('all');
    expect(outcome('2026-10-01', 'UTC')).toBe('none');
    expect(outcome('2026-09-29', 'Europe/Berlin')).toBe('all');
    expect(outcome('2026-09-30', 'Europe/Berlin')).toBe('some');
    expect(outcome('2026-10-01', 'America/New_York')).toBe('some');
    expect(outcome('2026-10-02', 'America/New_York')).toBe('none');
  });

  test('hours, truncated numbers and negative ones are intervals', () => {
    const hour = (value: string): Literal => ({ type: 'int', value });
    const epoch = at('>=', '1970-01-01T01:00:00Z');
    expect(allMatch(prune('hour', 4, hour('1'), epoch))).toBe(true);
    expect(mayMatch(prune('hour', 4, hour('0'), epoch))).toBe(false);
    const below: Predicate = { kind: 'compare', column: 'id', op: '<', value: long(-10n) };
    expect(allMatch(prune('truncate[10]', 1, long(-20n), below))).toBe(true);
    expect(mayMatch(prune('truncate[10]', 1, long(-10n), below))).toBe(false);
  });

  test('a transform of no name, one that keeps nothing, and a bucket where it is not asked for equality, prove nothing', () => {
    const where: Predicate = { kind: 'compare', column: 'id', op: '=', value: long(7n) };
    for (const transform of ['zorder', 'void']) {
      expect(mayMatch(prune(transform, 1, { type: 'int', value: '3' }, where))).toBe(true);
      // The values of a transform that nobody knows are not read, and are null here.
      expect(mayMatch(prune(transform, 1, null, where))).toBe(true);
    }
    const above: Predicate = { kind: 'compare', column: 'id', op: '>', value: long(7n) };
    expect(mayMatch(prune('bucket[16]', 1, { type: 'int', value: '3' }, above))).toBe(true);
    const other: Predicate = { kind: 'not', of: { kind: 'in', column: 'id', values: [long(34n)] } };
    expect(mayMatch(prune('bucket[16]', 1, { type: 'int', value: '3' }, other))).toBe(true);
  });

  test('a bucket holds only what the published hash puts there, for one value and for many', () => {
    const bucket = (value: number): Literal => ({ type: 'int', value: String(value) });
    // Appendix B of the specification: 34 hashes to 2017239379, and "iceberg" to 1210000089.
    const [ofNumber, ofText] = [2017239379 % 16, 1210000089 % 16];
    const id: Predicate = { kind: 'compare', column: 'id', op: '=', value: long(34n) };
    const name: Predicate = { kind: 'in', column: 'na"me.x', values: [text('iceberg')] };
    for (let each = 0; each < 16; each++) {
      expect(mayMatch(prune('bucket[16]', 1, bucket(each), id))).toBe(each === ofNumber);
      expect(mayMatch(prune('bucket[16]', 2, bucket(each), name))).toBe(each === ofText);
    }
    expect(mayMatch(prune('bucket[16]', 1, null, id))).toBe(false);
    // A bucket says which values are elsewhere, and never that all are here.
    expect(allMatch(prune('bucket[16]', 1, bucket(ofNumber), id))).toBe(false);
  });

  test('a truncated text holds only what begins so', () => {
    const where: Predicate = { kind: 'compare', column: 'na"me.x', op: '=', value: text('zoë z.') };
    expect(mayMatch(prune('truncate[3]', 2, text('zoë'), where))).toBe(true);
    expect(mayMatch(prune('truncate[3]', 2, text('zo'), where))).toBe(false);
  });

  test('a number whose truncation left the type and came out at its other end proves nothing', () => {
    // Java: -2147483648 - (((-2147483648 % 10) + 10) % 10) is 2147483646 in 32 bits.
    const [wrapped, smallest] = [long(2_147_483_646n), -2_147_483_648n];
    const compare = (op: '=' | '>=', value: bigint): Predicate => ({
      kind: 'compare',
      column: 'id',
      op,
      value: long(value),
    });
    expect(allMatch(prune('truncate[10]', 1, wrapped, compare('>=', -1n)))).toBe(false);
    expect(mayMatch(prune('truncate[10]', 1, wrapped, compare('=', smallest)))).toBe(true);
    expect(mayMatch(prune('truncate[10]', 1, wrapped, compare('=', 3n)))).toBe(false);
    const largest = long(BigInt.asIntN(64, -(2n ** 63n) - 2n));
    expect(allMatch(prune('truncate[10]', 1, largest, compare('>=', -1n)))).toBe(false);
    expect(mayMatch(prune('truncate[10]', 1, largest, compare('=', -(2n ** 63n))))).toBe(true);
  });

  test('a unit of 1970 or before may hold rows of the one before: old writers rounded towards zero', () => {
    const int = (value: string): Literal => ({ type: 'int', value });
    const units = [
      ['hour', int('0'), '1969-12-31T23:30:00Z', '1969-12-31T22:59:59Z'],
      ['day', { type: 'date', value: '1969-12-30' }, '1969-12-29T12:00:00Z', '1969-12-28T23:59:59Z'],
      ['month', int('-1'), '1969-11-15T00:00:00Z', '1969-10-31T00:00:00Z'],
      ['year', int('0'), '1969-06-01T00:00:00Z', '1968-12-31T00:00:00Z'],
      ['day', { type: 'date', value: '1970-01-02' }, '1970-01-02T00:00:01Z', '1970-01-01T23:59:59Z'],
    ] as const;
    for (const [transform, value, held, elsewhere] of units) {
      expect(mayMatch(prune(transform, 4, value, at('<', held)))).toBe(true);
      expect(allMatch(prune(transform, 4, value, at('>=', held)))).toBe(false);
      expect(mayMatch(prune(transform, 4, value, at('<', elsewhere)))).toBe(false);
    }
  });
});
