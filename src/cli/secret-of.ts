import { InputError } from '../errors.ts';
import type { Io } from './io.ts';

/** What a variable of the environment holds. Names of variables are shown in errors, what they hold never. Throws `cli/no-secret`. */
export function secretOf(name: string, env: Io['env']): string {
  const value = env[name] ?? '';
  if (value !== '') return value;
  throw new InputError('cli/no-secret', `The environment has no ${name}`, {
    remedy: 'Set it to what lethe.toml names it for: the catalog or the storage is opened with it',
    data: { missing: [name] },
  });
}
