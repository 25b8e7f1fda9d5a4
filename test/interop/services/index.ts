import { inject } from 'vitest';
import type { Services } from './service.ts';
import { askOn } from './socket.ts';

/**
 * What reaches a service of this run. The first test that asks installs and starts it; all later ones, in whichever file, get the
 * same. Give a hook that asks the time that a first install takes.
 *
 * @throws Error where it cannot be installed or does not start, with the end of its log
 */
export async function service<Name extends keyof Services>(name: Name): Promise<Services[Name]> {
  return JSON.parse(await askOn(inject('services'), `/${name}`)) as Services[Name];
}
