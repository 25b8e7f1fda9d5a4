import { expect, test } from 'vitest';
import { formatInstant, parseInstant } from '../../../src/cli/input/instants.ts';

test.each([
  ['2026-10-01', '2026-10-01T00:00:00.000Z'],
  ['2026-10-01T09:30:00Z', '2026-10-01T09:30:00.000Z'],
  ['2026-10-01T09:30:00.250+02:00', '2026-10-01T07:30:00.250Z'],
])('%s is an instant', (text, instant) => expect(formatInstant(parseInstant(text))).toBe(instant));

test.each(['', 'now', '2026-02-30', '2026-10', '10:00'])('%j is none', (text) => {
  expect(() => parseInstant(text)).toThrowError(expect.objectContaining({ code: 'cli/instant' }));
});
