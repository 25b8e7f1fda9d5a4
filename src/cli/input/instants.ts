import { InputError } from '../../errors.ts';
import { instantOf } from '../../lineage/read/instant.ts';
import { isDay } from '../../values/day.ts';
import type { Instant } from '../../values/time.ts';

/**
 * An instant: `2026-10-01T09:00:00Z`, or `2026-10-01` for the beginning of that day in UTC.
 *
 * @throws InputError `cli/instant`
 */
export function parseInstant(text: string): Instant {
  const instant = instantOf(isDay(text) ? `${text}T00:00Z` : text);
  if (instant !== null) return instant;
  throw new InputError('cli/instant', `${JSON.stringify(text)} is no instant`, {
    remedy: 'Write 2026-10-01T09:00:00Z, or 2026-10-01 for the beginning of that day in UTC',
  });
}

/** The instant as text, `2026-10-01T09:00:00.000Z`. */
export function formatInstant(instant: Instant): string {
  return new Date(instant).toISOString();
}
