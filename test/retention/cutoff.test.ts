import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutoff } from '../../src/retention/index.ts';
import { addDays, dayFromNumber, dayNumber } from '../../src/values/day.ts';
import { printed } from '../support/chapter.ts';
import { governed, ruleOf } from './rules.ts';

/** The three rules as the chapter prints them. */
const chapterRules = governed(`
[tables."support.tickets"]
keep_days = 730
counted_from = "opened_at"        # tickets record when they were opened, not when they were closed
only_when = { column = "status", equals = "closed" }

[tables."learning.events"]
keep_days = 365
counted_from = "occurred_at"

[tables."billing.payments"]
keep_days = 3650                  # a placeholder for the period the platform's legal team sets for payment records
counted_from = "paid_at"
`).retention;

describe('R3: the cutoffs that the chapter prints', () => {
  for (const day of ['2026-10-01', '2026-12-30']) {
    test.each([...chapterRules.keys()])(`${day}, %s`, (table) => {
      const [rule] = chapterRules.get(table)!;
      expect(cutoff(rule!, day)).toBe(printed('retention-rules-due', `${table} on ${day}, kept from`));
    });
  }
});

describe('R3: calendar periods', () => {
  test.each([
    ['P1M', '2026-03-31', '2026-02-28'],
    ['P1M', '2024-03-31', '2024-02-29'],
    ['P1M', '2026-10-31', '2026-09-30'],
    ['P2Y', '2026-10-01', '2024-10-01'],
    ['P1Y', '2024-02-29', '2023-02-28'],
    ['P1M10D', '2026-03-31', '2026-02-18'],
  ])('%s from %s keeps from %s on', (keep, day, from) => {
    expect(cutoff(ruleOf(`keep = "${keep}"`, 'counted_from = "d"'), day)).toBe(from);
  });
});

describe('R2: the cutoff is the first day kept', () => {
  test.each([
    ['year', '2026-12-31', '2016-01-01'],
    ['year', '2027-01-01', '2017-01-01'],
    ['quarter', '2026-12-31', '2016-10-01'],
    ['month', '2026-12-31', '2016-12-01'],
  ])('a period of ten years that begins when the %s ends, on %s', (unit, day, from) => {
    const rule = ruleOf('keep = "P10Y"', 'counted_from = "d"', `counted_from_end_of = "${unit}"`);
    expect(cutoff(rule, day)).toBe(from);
  });

  test('a row of any year is due exactly when its year, and then ten more, have ended', () => {
    const rule = ruleOf('keep = "P10Y"', 'counted_from = "d"', 'counted_from_end_of = "year"');
    const anyDay = fc
      .integer({ min: dayNumber('1990-01-01'), max: dayNumber('2060-12-31') })
      .map(dayFromNumber);
    fc.assert(
      fc.property(anyDay, anyDay, (rowDay, day) => {
        const endsWith = Number(rowDay.slice(0, 4)) + 10;
        expect(rowDay < cutoff(rule, day)).toBe(Number(day.slice(0, 4)) > endsWith);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  test('with keep_days a row is due exactly when more than so many days have passed', () => {
    const anyDay = fc.integer({ min: dayNumber('1990-01-01'), max: dayNumber('2060-12-31') });
    fc.assert(
      fc.property(anyDay, anyDay, fc.integer({ min: 1, max: 5000 }), (row, day, keep) => {
        const rule = ruleOf(`keep_days = ${keep}`, 'counted_from = "d"');
        expect(dayFromNumber(row) < cutoff(rule, dayFromNumber(day))).toBe(day - row > keep);
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  test('never goes back as days go by', () => {
    const rules = ['P1M', 'P1Y', 'P1M1D'].map((keep) => ruleOf(`keep = "${keep}"`, 'counted_from = "d"'));
    for (const rule of rules) {
      for (let day = '2023-12-01'; day < '2025-03-02'; day = addDays(day, 1)) {
        expect(cutoff(rule, addDays(day, 1)) >= cutoff(rule, day), day).toBe(true);
      }
    }
  });

  test('a day that is none is an error', () => {
    expect(() => cutoff(ruleOf('keep_days = 1', 'counted_from = "d"'), '2026-02-30')).toThrowError(
      expect.objectContaining({ code: 'values/day' }),
    );
  });
});
