import type { Catalog } from './catalog.ts';
import { refused } from './catalogs/failures.ts';
import type { TableDescription, TableRefusal } from './warehouse.ts';

/**
 * A description that also says why a table may not be changed: a newer state than the one in use may be there, which needs its files, and
 * a commit would be lost under it. A hint that is behind, and a version that is missing after it, make an old one the newest.
 */
export async function withHidden(
  catalog: Pick<Catalog, 'hidden'>,
  described: TableDescription,
): Promise<TableDescription> {
  const hidden = await hiddenIn(catalog, described.table);
  return hidden === null ? described : { ...described, refusals: [hidden, ...described.refusals] };
}

/**
 * Refuses what {@link withHidden} tells.
 *
 * @throws RefusedError `iceberg/newer-metadata`
 */
export async function assertNoneHidden(catalog: Pick<Catalog, 'hidden'>, table: string): Promise<void> {
  const hidden = await hiddenIn(catalog, table);
  if (hidden !== null) throw refused(table, hidden);
}

async function hiddenIn(catalog: Pick<Catalog, 'hidden'>, table: string): Promise<TableRefusal | null> {
  const file = (await catalog.hidden?.(table)) ?? null;
  if (file === null) return null;
  return {
    code: 'newer-metadata',
    reason: `${file} is newer than the metadata in use, and a version between them is missing`,
    remedy:
      'If it is the newest, write its number into version-hint.text; if it is a leftover, move it out of the folder',
  };
}
