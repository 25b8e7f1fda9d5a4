import { InputError } from '../errors.ts';
import type { Governance } from './governance.ts';

const MS_PER_HOUR = 3_600_000;

/**
 * The age from which files that no metadata names are removed, in milliseconds: the given one, else that of `[files]`. Throws
 * `governance/min-age` for what is no age: compared with it, every file would be old enough.
 */
export function minAgeOf({
  governance,
  minAgeMs,
}: {
  readonly governance: Pick<Governance, 'files'>;
  readonly minAgeMs?: number | undefined;
}): number {
  const age = minAgeMs ?? governance.files.minAgeHours * MS_PER_HOUR;
  if (Number.isSafeInteger(age) && age >= 0) return age;
  throw new InputError('governance/min-age', `${age} is no age in milliseconds`, {
    remedy: 'Pass a whole number of milliseconds, 0 or more',
    data: { found: age },
  });
}
