import { InputError } from '../../errors.ts';
import { isInside, localPath } from '../../storage/local-path.ts';
import type { Config } from './config.ts';

/**
 * Refuses a register, a state or evidence among the tables. In a table's folder the sweep would take them for stray files, and an
 * erasure would forget who was erased; anywhere in the warehouse the scan would find the person in the job's own private file.
 *
 * @throws InputError `cli/in-warehouse`
 */
export function refuseAmongTables({ file, warehouse, register, state, evidence }: Config): void {
  if (warehouse === null) return;
  const { catalog, tables } = warehouse;
  const folders = [...(catalog.kind === 'directory' ? [catalog.path] : []), ...Object.values(tables)]
    .filter((folder) => !/^s3[an]?:/i.test(folder))
    .map(localPath);
  const own = { state, evidence, ...(register === null ? {} : { register: register.path }) };
  for (const [name, path] of Object.entries(own)) {
    const folder = folders.find((each) => isInside(each, path));
    if (folder === undefined) continue;
    throw new InputError('cli/in-warehouse', `The ${name} ${path} lies among the tables in ${folder}`, {
      remedy: `Name a place outside of it in ${file}: a sweep would take it for a stray file`,
      data: { name, path, folder },
    });
  }
}
