import { describe, expect, test } from 'vitest';
import { addDays, addPeriod, dayFromNumber, dayNumber, isDay, parseDay } from '../../src/values/day.ts';
import { formatPeriod, parsePeriod } from '../../src/values/period.ts';
import { formatTimestamp, parseTime, parseTimestamp } from '../../src/values/timestamp.ts';
import { dayOfInstant, parseTimeZone, startOfDay } from '../../src/values/zone.ts';

describe('days', () => {
  test.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '0000-01-01',
    '20261001',
    '2026-10-01T00:00',
    ' 2026-10-01',
  ])('%j is no day', (text) => {
    expect(isDay(text)).toBe(false);
    expect(() => parseDay(text)).toThrowError(expect.objectContaining({ code: 'values/day', kind: 'input' }));
  });

  test('every day from 1583 to 2400 has the number that the platform calendar gives it', () => {
    for (let number = dayNumber('1583-01-01'); number <= dayNumber('2400-12-31'); number += 13) {
      const day = new Date(number * 86_400_000).toISOString().slice(0, 10);
      expect(dayFromNumber(number)).toBe(day);
      expect(dayNumber(day)).toBe(number);
    }
  });

  test('outside the years 1 to 9999 there is no day', () => {
    expect(() => addDays('9999-12-31', 1)).toThrowError(expect.objectContaining({ code: 'values/day' }));
    expect(() => addDays('0001-01-01', -1)).toThrowError(expect.objectContaining({ code: 'values/day' }));
  });

  test.each([
    ['2026-03-31', 'P1M', -1, '2026-02-28'],
    ['2024-03-31', 'P1M', -1, '2024-02-29'],
    ['2024-02-29', 'P1Y', -1, '2023-02-28'],
    ['2026-01-15', 'P1M', -1, '2025-12-15'],
    ['2026-01-31', 'P1M1D', 1, '2026-03-01'],
    ['2026-10-01', 'P2Y', -1, '2024-10-01'],
    ['2026-10-01', 'P2W', -1, '2026-09-17'],
  ] as const)('%s and %s (%i) give %s', (day, period, sign, result) => {
    expect(addPeriod(day, parsePeriod(period), sign)).toBe(result);
  });
});

describe('periods', () => {
  test('are read and written', () => {
    expect(parsePeriod('P1Y2M3W4D')).toEqual({ years: 1, months: 2, days: 25 });
    expect(formatPeriod(parsePeriod('P1M10D'))).toBe('P1M10D');
  });

  test.each(['P', 'P0D', '2Y', 'P1H', 'PT1H', 'P-1Y', 'P1.5Y', 'p1y', 'P1D1Y'])('%j is none', (text) => {
    expect(() => parsePeriod(text)).toThrowError(expect.objectContaining({ code: 'values/period' }));
  });
});

describe('timestamps', () => {
  test('are exact to the nanosecond', () => {
    expect(parseTimestamp('1970-01-01T00:00:00.000000001')).toBe(1n);
    expect(parseTimestamp('2026-10-01T13:45:00Z')).toBe(BigInt(Date.UTC(2026, 9, 1, 13, 45)) * 1_000_000n);
    expect(formatTimestamp(-1n)).toBe('1969-12-31T23:59:59.999999999');
    expect(formatTimestamp(parseTimestamp('1901-01-01T01:02:03.000004')!)).toBe('1901-01-01T01:02:03.000004');
  });

  test.each([
    '2026-10-01',
    '2026-10-01 13:45:00',
    '2026-10-01T24:00:00',
    '2026-10-01T13:45:00+02:00',
    'T13:45:00',
  ])('%j is none', (text) => expect(parseTimestamp(text)).toBeNull());

  test('times of day', () => {
    expect(parseTime('00:00:01.5')).toBe(1_500_000_000n);
    expect(parseTime('23:60:00')).toBeNull();
  });
});

describe('zones', () => {
  // Facts of the IANA time zone database, as UTC instants.
  test.each([
    ['2026-10-01', 'UTC', '2026-10-01T00:00:00Z'],
    ['2026-10-01', 'Europe/Berlin', '2026-09-30T22:00:00Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
    ['2026-10-01', 'America/New_York', '2026-10-01T04:00:00Z'],
    ['2026-10-01', 'Pacific/Kiritimati', '2026-09-30T10:00:00Z'],
    // The clocks went from 00:00 to 01:00, so the day began at 01:00.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00Z'],
    // Samoa went from 29 to 31 December: the 30th never was.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
  ])('%s in %s begins at %s', (day, zone, instant) => {
    expect(startOfDay(day, zone)).toBe(Date.parse(instant));
  });

  test('an instant falls on the day that the zone has then', () => {
    const instant = Date.parse('2026-09-30T23:30:00Z');
    expect(dayOfInstant(instant, 'UTC')).toBe('2026-09-30');
    expect(dayOfInstant(instant, 'Europe/Berlin')).toBe('2026-10-01');
    expect(dayOfInstant(-1, 'UTC')).toBe('1969-12-31');
  });

  test('a zone that nobody knows is an error', () => {
    expect(() => parseTimeZone('Europe/Berlim')).toThrowError(
      expect.objectContaining({ code: 'values/time-zone' }),
    );
  });
});
