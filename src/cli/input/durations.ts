import { InputError } from '../../errors.ts';

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { m: HOUR / 60, h: HOUR, d: 24 * HOUR };

/**
 * A duration in milliseconds: `72h`, `30m`, `3d`, `0`.
 *
 * @throws InputError `cli/duration`
 */
export function parseDuration(text: string): number {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (text === '0') return 0;
  if (number !== undefined && unit !== undefined) return Number(number) * UNITS[unit]!;
  throw new InputError('cli/duration', `${JSON.stringify(text)} is no duration`, {
    remedy: 'Write a number and m, h or d: 72h',
  });
}
