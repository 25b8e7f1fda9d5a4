import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { InputError } from '../../errors.ts';

const NAME = 'lethe.toml';

/**
 * The configuration file: the named one, else the nearest `lethe.toml` from `cwd` upwards.
 *
 * @throws InputError `cli/no-config`
 */
export function findConfig(cwd: string, named: string | undefined): string {
  if (named !== undefined) {
    const file = resolve(cwd, named);
    if (existsSync(file)) return file;
    throw new InputError('cli/no-config', `There is no file ${file}`, {
      remedy: 'Name an existing file with --config',
    });
  }
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, NAME))) return join(folder, NAME);
    if (folder === dirname(folder)) break;
  }
  throw new InputError('cli/no-config', `No ${NAME} was found from ${cwd} upwards`, {
    remedy: `Go into a folder that has one, or name it with --config FILE`,
  });
}
