import { existsSync } from 'node:fs';
import { glob } from 'tinyglobby';
import { InputError } from '../../errors.ts';

/**
 * The files and folders that configured paths name: a glob becomes its files, anything else stays as it is.
 *
 * @throws InputError `cli/no-events` where a glob matches nothing: lineage that is silently missing makes a plan too small
 */
export async function expandGlobs(paths: readonly string[]): Promise<readonly string[]> {
  const expanded = await Promise.all(
    paths.map(async (path) => {
      if (existsSync(path) || !/[*?[\]{}]/.test(path)) return [path];
      const files = await glob(path, {
        absolute: true,
        dot: true,
        onlyFiles: true,
        expandDirectories: false,
      });
      if (files.length > 0) return files.sort();
      throw new InputError('cli/no-events', `${path} matches no file`, {
        remedy: 'Correct `lineage` in lethe.toml: events that are not read make a plan too small',
        data: { path },
      });
    }),
  );
  return expanded.flat();
}
