import { InputError } from '../../errors.ts';
import { minAgeOf } from '../../governance/min-age.ts';
import { parseDay } from '../../values/day.ts';
import { refuseAmongTables } from './among-tables.ts';
import { namesPerson } from './names-person.ts';
import type { EraseOptions } from './options.ts';
import type { Secrets } from './private-state.ts';

/** Checks what can be checked of a request before anything is read. */
export function checkRequest(options: EraseOptions): void {
  const { root } = options.warehouse;
  parseDay(options.day);
  minAgeOf(options);
  checkPlaces(options, root === undefined ? [] : [root]);
  if (/^[\p{L}\p{N}][\p{L}\p{N}._:/#-]{0,99}$/u.test(options.request)) return;
  throw new InputError('erasure/request', 'The id of the request cannot stand in commits and evidence', {
    remedy: 'Use 1 to 100 letters, digits and any of . _ : / # -, beginning with a letter or digit',
  });
}

/** Nothing that the job keeps may lie in a folder of the tables. Throws `erasure/among-tables`. */
export function checkPlaces({ state, evidence, register }: EraseOptions, folders: readonly string[]): void {
  const own = { state, evidence, ...(register.path === null ? {} : { register: register.path }) };
  refuseAmongTables({ folders, own });
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
