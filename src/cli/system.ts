import { randomFillSync } from 'node:crypto';
import type { Clock, Random } from '../values/time.ts';

/**
 * The real clock and the runtime's secure generator: what a program passes where the library asks for `clock` and
 * `random`. Exported as `lethe/system`; nothing else in the library reads the time or draws chance (rule R1).
 *
 * @example
 * ```ts
 * import { openIceberg } from 'lethe';
 * import { system } from 'lethe/system';
 *
 * const warehouse = await openIceberg({ catalog: { kind: 'directory', path: 'warehouse' }, ...system });
 * ```
 */
export const system: { readonly clock: Clock; readonly random: Random } = Object.freeze({
  clock: { now: (): number => Date.now() },
  random: { bytes: (count: number): Uint8Array => randomFillSync(new Uint8Array(count)) },
});
