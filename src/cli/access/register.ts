import { InputError } from '../../errors.ts';
import type { Config } from '../config/config.ts';
import type { Io } from '../io.ts';

/** What opening the register takes; the secrets come from the environment only. */
export interface RegisterAccess {
  readonly path: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly current: string;
}

/**
 * The register that the configuration names, with its keys out of the environment. Names of variables are shown in errors,
 * what they hold never.
 *
 * @throws InputError `cli/no-register`, `cli/no-key`
 */
export function registerAccess({ file, register }: Config, env: Io['env']): RegisterAccess {
  if (register === null) {
    throw new InputError('cli/no-register', `${file} has no [register]`, {
      remedy: 'Add one with path and key_env: an erasure that nobody remembers is undone by the next load',
    });
  }
  const missing = [...register.keys.values()].filter((name) => (env[name] ?? '') === '');
  if (missing.length > 0) {
    throw new InputError('cli/no-key', `The environment has no ${missing.join(', ')}`, {
      remedy: 'Set it to the register key: UTF-8 text of 32 bytes or more, or hex:… or base64:…',
      data: { missing },
    });
  }
  const keys = Object.fromEntries([...register.keys].map(([id, name]) => [id, env[name]!]));
  return { path: register.path, keys, current: register.current };
}
