import { InputError } from '../../errors.ts';
import { parseDay } from '../../values/day.ts';
import { namesPerson } from './names-person.ts';
import type { EraseOptions } from './options.ts';
import type { Secrets } from './private-state.ts';

const MS_PER_HOUR = 3_600_000;

/** Checks what can be checked of a request before anything is read. */
export function checkRequest(options: EraseOptions): void {
  parseDay(options.day);
  minAgeOf(options);
  if (/^[\p{L}\p{N}][\p{L}\p{N}._:/#-]{0,99}$/u.test(options.request)) return;
  throw new InputError('erasure/request', 'The id of the request cannot stand in commits and evidence', {
    remedy: 'Use 1 to 100 letters, digits and any of . _ : / # -, beginning with a letter or digit',
  });
}

/** The request's id is written into commits, which outlive the person's rows (rule E3). */
export function checkName({ request }: EraseOptions, { traces, bound }: Secrets): void {
  if (!namesPerson(request, traces, bound.ids.reveal())) return;
  throw new InputError(
    'erasure/names-person',
    'The id of the request names the person, and would stay in the commits',
    {
      remedy: 'Give the request an id that says nothing of the person, such as erasure-0001',
    },
  );
}

/** The age from which files that no metadata names are removed, in milliseconds. Throws `erasure/min-age`. */
export function minAgeOf({ minAgeMs, governance }: EraseOptions): number {
  const age = minAgeMs ?? governance.files.minAgeHours * MS_PER_HOUR;
  if (Number.isSafeInteger(age) && age >= 0) return age;
  throw new InputError('erasure/min-age', `${age} is no age in milliseconds`, {
    remedy: 'Pass a whole number of milliseconds, 0 or more',
    data: { found: age },
  });
}
