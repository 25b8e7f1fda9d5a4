import { isAbsolute, resolve } from 'node:path';
import { InputError } from '../../errors.ts';
import { isInside, localPath, realPath } from '../../storage/local-path.ts';

/**
 * Refuses a register, a state or evidence among the tables, by name or through a link. In a table's folder the sweep would take them for
 * stray files, and an erasure would forget who was erased; anywhere in the warehouse the scan would find the person in the job's own
 * private file.
 *
 * @throws InputError `erasure/among-tables`
 */
export function refuseAmongTables(options: {
  /** The folders of the warehouse and of its tables; those that are not on this machine hold nothing of this. */
  readonly folders: readonly string[];
  /** What it is, to its path. */
  readonly own: Readonly<Record<string, string>>;
}): void {
  const local = options.folders.filter((each) => isAbsolute(each) || /^file:/i.test(each)).map(localPath);
  const folders = local.map((folder) => ({ folder, itself: real(folder) }));
  for (const [name, given] of Object.entries(options.own)) {
    const path = resolve(given);
    const itself = real(path);
    const found = folders.find((each) => isInside(each.folder, path) || isInside(each.itself, itself));
    if (found === undefined) continue;
    const { folder } = found;
    throw new InputError('erasure/among-tables', `The ${name} ${path} lies among the tables in ${folder}`, {
      remedy: 'Name a place outside of it: a sweep would take it for a stray file',
      data: { name, path, folder },
    });
  }
}

/** Where the links of a path lead; of one that is not there, or cannot be reached, those of the nearest folder that can. */
function real(path: string): string {
  return realPath(path, () => true);
}
