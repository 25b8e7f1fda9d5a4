import { RefusedError } from '../errors.ts';
import { deleteKind } from './data-file.ts';
import type { DataPlane } from './data-plane.ts';
import type { SelectedFile } from './table-format.ts';

/**
 * Makes sure that a data plane reads files truthfully, with the deletes that apply to them.
 *
 * @throws RefusedError `warehouse/unreadable` naming what it does not read
 */
export function checkReadable(table: string, files: readonly SelectedFile[], plane: DataPlane): void {
  const { formats, deletes } = plane.capabilities;
  const missing = new Set<string>();
  for (const file of files) {
    if (!formats.includes(file.file.format)) missing.add(`${file.file.format} files`);
    for (const by of file.deletes) {
      const kind = deleteKind(by);
      if (!deletes.includes(kind)) missing.add(kind.replace('-', ' '));
      else if (kind !== 'deletion-vectors' && !formats.includes(by.format))
        missing.add(`${kind.replace('-', ' ')} in ${by.format}`);
    }
  }
  if (missing.size === 0) return;
  const what = [...missing].sort().join(' and ');
  throw new RefusedError(
    'warehouse/unreadable',
    `${table} has ${what}, which are not read by this data plane`,
    {
      remedy: 'Compact the table with the engine that wrote it, or use a data plane that reads them',
      data: { table, missing: [...missing].sort() },
    },
  );
}
