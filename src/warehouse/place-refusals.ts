import { LetheError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { TableState } from './table-format.ts';
import type { TableRefusal } from './warehouse.ts';

/**
 * Places of a table at which work on it would end half-way (rule E2): a folder that it writes into, or a statistics file that an erasure
 * removes, which the storage does not take, and a link in one of its folders that leads out of the warehouse. Each folder is read once,
 * where links can be in it. What the metadata log names is only read, so it is left to the scan.
 */
export async function placeRefusals(storage: Storage, state: TableState): Promise<readonly TableRefusal[]> {
  const { statistics, partitionStatistics } = state.loaded.metadata;
  const refusals: TableRefusal[] = [];
  const check = async (what: string, look: () => Promise<void>): Promise<void> => {
    try {
      await look();
    } catch (error) {
      if (!(error instanceof LetheError)) throw error;
      const code = error.code.slice(error.code.indexOf('/') + 1);
      refusals.push({ code, reason: `${what}: ${error.reason}`, remedy: error.remedy });
    }
  };
  for (const folder of state.folders()) {
    await check('a folder in which it keeps its files', async () => {
      storage.normalize(folder);
      for await (const _ of storage.foldersWith?.(folder, () => false) ?? []);
    });
  }
  for (const { path } of [...statistics, ...partitionStatistics]) {
    await check('a statistics file that it names', async () => {
      if ((await storage.statIfThere(path)) !== null) return;
      for await (const _ of storage.list(path)) {
        refusals.push({
          code: 'statistics-folder',
          reason: `its statistics file ${path} is a folder`,
          remedy: 'Take the entry out of the table with the engine that wrote it',
        });
        break;
      }
    });
  }
  return refusals;
}
