import { InputError } from '../../errors.ts';
import type { Io } from '../io.ts';

/** As variables are named: `LAKE_TOKEN`, `lake_token`. What looks otherwise may be the secret itself, in the place of its name. */
const NAME = /^(?:[A-Z_][A-Z0-9_]*|[a-z]+(?:_[a-z0-9]+)*)$/;

/** What a variable of the environment holds. Names of variables are shown in errors, what they hold never. Throws `cli/no-secret`. */
export function secretOf(name: string, env: Io['env']): string {
  const value = env[name] ?? '';
  if (value !== '') return value;
  const missing = NAME.test(name) ? [name] : [];
  const shown = missing[0] ?? 'variable of the name that lethe.toml says';
  throw new InputError('cli/no-secret', `The environment has no ${shown}`, {
    remedy: 'Set it to what lethe.toml names it for: the catalog or the storage is opened with it',
    data: { missing },
  });
}
