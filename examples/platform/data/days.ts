/** Milliseconds of one day. */
export const DAY = 86_400_000;

/** The instant at which a day begins in UTC, in milliseconds. */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The platform's first sign-ups, and the day on which the story happens: nothing in the data is as late. */
export const OPENED = startOf('2024-01-15');
export const TODAY = startOf('2026-10-01');

/** How many of `sorted` are before `instant`. */
export function countBefore(sorted: readonly number[], instant: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}
