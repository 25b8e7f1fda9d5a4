import { Private } from '../../../values/private.ts';
import type { ColumnBounds } from '../../warehouse.ts';
import type { FileEntry } from '../manifest/manifest.ts';
import { decodeBound, toLiteral } from '../manifest/single-value.ts';
import { snapshotAt } from '../metadata/metadata.ts';
import { columnsOf } from '../metadata/schema.ts';
import type { TableReader } from './table-reader.ts';

/** The bounds that the manifests of the current snapshot keep, in the entries of deleted files too. */
export async function columnBounds(reader: TableReader): Promise<readonly ColumnBounds[]> {
  const found: ColumnBounds[] = [];
  for (const manifest of await reader.manifests(snapshotAt(reader.metadata))) {
    for (const entry of await reader.entries(manifest)) found.push(...boundsOf(entry, reader));
  }
  return found;
}

function boundsOf({ status, file }: FileEntry, reader: TableReader): readonly ColumnBounds[] {
  const { lowerBounds, upperBounds } = file.metrics;
  return columnsOf(reader.metadata.schema).flatMap(({ id, name, type }) => {
    const bound = (bytes: Uint8Array | undefined): string | null => {
      const value = bytes === undefined ? undefined : decodeBound(type, bytes);
      return value === undefined ? null : String(toLiteral(type, value).value);
    };
    const lower = bound(lowerBounds.get(id));
    const upper = bound(upperBounds.get(id));
    if (lower === null && upper === null) return [];
    return [
      {
        column: name,
        file: file.location,
        live: status !== 'deleted',
        values: new Private({ lower, upper }),
      },
    ];
  });
}
