import { get } from 'node:http';
import { inject } from 'vitest';
import type { Services } from './service.ts';

/**
 * What reaches a service of this run. The first test that asks installs and starts it; all later ones, in whichever file, get the
 * same. Give a hook that asks the time that a first install takes.
 *
 * @throws Error where it cannot be installed or does not start, with the end of its log
 */
export async function service<Name extends keyof Services>(name: Name): Promise<Services[Name]> {
  return (await ask(name)).details as Services[Name];
}

async function ask(name: string): Promise<{ readonly details: unknown }> {
  return new Promise((resolve, reject) => {
    get({ socketPath: inject('services'), path: `/${name}` }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
      });
      response.on('end', () =>
        response.statusCode === 200 ? resolve(JSON.parse(body)) : reject(new Error(body)),
      );
    }).on('error', reject);
  });
}
