import type { Random } from '../../values/time.ts';

/** Waits; the real one is a timer. */
export type Sleep = (ms: number) => Promise<void>;

/** What waiting between tries takes. */
export interface Patience {
  readonly sleep: Sleep;
  readonly random: Random;
}

/** How long to wait before which try. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Waits before a further try: twice as long each time, up to the longest, and somewhere between half and all of it, so that
 * writers who met once do not meet again.
 *
 * @returns the milliseconds waited
 */
export async function pause(
  { sleep, random }: Patience,
  tried: number,
  { firstMs, longestMs }: Backoff,
): Promise<number> {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(tried, 20));
  const ms = Math.ceil(full * (0.5 + random.bytes(1)[0]! / 512));
  await sleep(ms);
  return ms;
}
