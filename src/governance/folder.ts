import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../errors.ts';

/** The names in a folder, or null where there is no such folder. Throws `governance/unreadable`. */
export async function namesIn(dir: string): Promise<string[] | null> {
  try {
    return await readdir(dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw unreadable(dir, code);
  }
}

/** The texts of some files of a folder, by path. Throws `governance/unreadable`. */
export async function textsIn(dir: string, names: readonly string[]): Promise<Record<string, string>> {
  const texts = await Promise.all(names.map((name) => textOf(join(dir, name))));
  return Object.fromEntries(names.map((name, index) => [join(dir, name), texts[index]!]));
}

/** The text of a file that people wrote. Throws `governance/unreadable`, also for a pipe or a device, which might never end. */
export async function textOf(path: string): Promise<string> {
  try {
    if ((await stat(path)).isFile()) return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(path, (error as NodeJS.ErrnoException).code);
  }
  throw unreadable(path, 'no file');
}

function unreadable(path: string, why: string | undefined): InputError {
  return new InputError('governance/unreadable', `${path} cannot be read (${why})`, {
    remedy: 'Put a file there that may be read',
    data: { path, error: why },
  });
}
