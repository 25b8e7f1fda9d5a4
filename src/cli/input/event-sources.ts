import { setTimeout } from 'node:timers/promises';
import { InputError } from '../../errors.ts';
import { type LineageSource, type MarquezEvents, marquezEvents } from '../../lineage/index.ts';
import { Private } from '../../values/private.ts';
import type { Config, EventApi } from '../config/config.ts';
import { expandGlobs } from '../config/locations.ts';
import type { Io } from '../io.ts';
import { system } from '../system.ts';
import { keepEvents } from './kept-events.ts';

/**
 * What `lineage` in the configuration names, ready to be read.
 *
 * @throws InputError `cli/no-events` where a glob matches nothing, `cli/no-input` for `-` where standard input is a terminal,
 * `cli/no-token`, `cli/kept-events`; RefusedError `cli/kept-busy`; and what a server throws that events are kept from
 */
export async function eventSources(sources: Config['lineage'], io: Io): Promise<readonly LineageSource[]> {
  const paths = sources.filter((source) => typeof source === 'string' && source !== '-') as readonly string[];
  return [
    ...(await expandGlobs(paths)),
    ...(sources.includes('-') ? [standardInput(io)] : []),
    ...(await Promise.all(
      sources.filter((source) => typeof source !== 'string').map((api) => eventApi(api, io)),
    )),
  ];
}

function standardInput({ stdin }: Io): LineageSource {
  if (stdin !== null) return { name: 'standard input', bytes: stdin };
  throw new InputError('cli/no-input', 'Lineage is to be read from standard input, which is a terminal', {
    remedy: 'Pipe the events in, or name files in lethe.toml',
  });
}

async function eventApi(
  { url, tokenEnv, from, keep }: EventApi,
  { env, signal }: Io,
): Promise<LineageSource> {
  const token = tokenEnv === null ? undefined : env[tokenEnv];
  if (tokenEnv !== null && (token === undefined || token === '')) {
    throw new InputError('cli/no-token', `The variable ${tokenEnv} holds no token`, {
      remedy: 'Set it to the token of the event API, or take token_env out of lethe.toml',
    });
  }
  const server: MarquezEvents = {
    url,
    fetch,
    signal,
    wait: (milliseconds) => setTimeout(milliseconds, undefined, { signal }),
    ...(token === undefined ? {} : { token: new Private(token) }),
    ...(from === null ? {} : { from }),
  };
  return keep === null
    ? marquezEvents(server)
    : keepEvents({ ...server, file: keep, now: system.clock.now() });
}
