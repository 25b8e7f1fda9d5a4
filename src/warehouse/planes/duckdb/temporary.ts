import { type PrivateFolder, privateFolder } from '../../../storage/private-folder.ts';

/** The private folder for what DuckDB spills and for files that are not published yet. Throws `plane/temporary`. */
export function temporaryFolder(parent?: string): Promise<PrivateFolder> {
  return privateFolder({ kind: 'duckdb', parent, code: 'plane/temporary' });
}
