import { localStorage } from '../../src/storage/index.ts';
import { directoryCatalog } from '../../src/warehouse/catalogs/directory.ts';
import { icebergFormat } from '../../src/warehouse/iceberg/format.ts';
import type { DataFile } from '../../src/warehouse/iceberg/manifest/data-file.ts';
import type { TableState } from '../../src/warehouse/table-format.ts';
import { type Lake, seededRandom } from './lake.ts';

/** Commits files to a table of a lake as another writer would: data or delete files, whatever they hold. */
export async function commitFiles(lake: Lake, table: string, files: readonly DataFile[]): Promise<void> {
  const storage = localStorage({ roots: [lake.path] });
  const catalog = directoryCatalog({ path: lake.path, storage, clock: lake.clock });
  const random = seededRandom(files.length + 4242 + Number(process.hrtime.bigint() % 100_000n));
  const format = icebergFormat({ storage, clock: lake.clock, random });
  const state = format.open(await catalog.load(table));
  const attempt = await format.begin(state);
  await catalog.commit(table, await attempt.stageRows(state, { added: files, removed: new Set(), note: {} }));
  await attempt.won();
}

/** The newest state of a table of a lake. */
export async function stateOf(lake: Lake, table: string): Promise<TableState> {
  const storage = localStorage({ roots: [lake.path] });
  const catalog = directoryCatalog({ path: lake.path, storage, clock: lake.clock });
  return icebergFormat({ storage, clock: lake.clock, random: seededRandom(9) }).open(
    await catalog.load(table),
  );
}
