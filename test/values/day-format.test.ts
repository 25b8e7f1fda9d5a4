import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayInText, parseDayFormat } from '../../src/values/day-format.ts';

describe('a declared format', () => {
  test.each([
    ['dd-MM-yyyy', '01-10-2026', '2026-10-01'],
    ['MM/dd/yyyy', '10/01/2026', '2026-10-01'],
    ['yyyyMMdd', '20261001', '2026-10-01'],
    ["yyyy-MM-dd'T'HH:mm:ss", '2026-10-01T23:59:59', '2026-10-01'],
    ['dd.MM.yyyy', '29.02.2024', '2024-02-29'],
    ["'on the' dd MM yyyy", 'on the 01 10 2026', '2026-10-01'],
    ['[dd]^MM\\yyyy', '[01]^10\\2026', '2026-10-01'],
    ['yyyy年MM月dd日', '2026年10月01日', '2026-10-01'],
  ])('%s reads %j', (format, text, day) => {
    expect(dayInText(text, parseDayFormat(format))).toBe(day);
  });

  test.each([
    '31-02-2026',
    '29-02-2026',
    '29-02-1900',
    '00-10-2026',
    '1-10-2026',
    '01-10-2026 ',
    '01-10-2026\n',
    '01/10/2026',
    '01-10-0000',
    '',
  ])('dd-MM-yyyy finds no day in %j', (text) => {
    expect(dayInText(text, parseDayFormat('dd-MM-yyyy'))).toBeNull();
  });

  test.each([
    ['d-M-yyyy', 'd is not understood'],
    ['dd-MM-yy', 'yy is not understood'],
    ['dd-MMM-yyyy', 'MMM is not understood'],
    ['yyyy-MM-dd HH:mm:ssZ', 'Z is not understood'],
    ['yyyy-MM', 'dd is missing'],
    ['dd-dd-yyyy', 'dd stands twice'],
    ["yyyy-MM-dd'T", 'the quote at character 11 does not end'],
  ])('%s is refused: %s', (format, why) => {
    expect(() => parseDayFormat(format)).toThrowError(
      expect.objectContaining({ code: 'values/day-format', data: { found: format, why } }),
    );
  });

  test('its pattern matches exactly the days that the platform calendar has', () => {
    const format = parseDayFormat('yyyy-MM-dd');
    const field = (most: number, width: number) =>
      fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(width, '0'));
    fc.assert(
      fc.property(field(9999, 4), field(13, 2), field(32, 2), (year, month, day) => {
        const text = `${year}-${month}-${day}`;
        const instant = new Date(`${text}T00:00:00Z`);
        const real =
          year !== '0000' && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
        expect(dayInText(text, format)).toBe(real ? text : null);
      }),
      { seed: 28, numRuns: 3000 },
    );
  });
});
