import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The names in a folder, or null where there is no such folder. */
export async function namesIn(dir: string): Promise<string[] | null> {
  try {
    return await readdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The texts of some files of a folder, by path. */
export async function textsIn(dir: string, names: readonly string[]): Promise<Record<string, string>> {
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [join(dir, name), texts[index]!]));
}
