import { localStorage } from '../../../src/storage/index.ts';
import { directoryCatalog } from '../../../src/warehouse/catalogs/directory.ts';
import { icebergFormat } from '../../../src/warehouse/iceberg/format.ts';
import type { TableFormat } from '../../../src/warehouse/table-format.ts';
import { tableFormatContract } from '../../contracts/table-format.ts';
import { makeLake, seededRandom } from '../../support/lake.ts';

for (const formatVersion of [2, 3] as const) {
  tableFormatContract(`Iceberg ${formatVersion}`, async () => {
    const lake = await makeLake();
    const storage = localStorage({ roots: [lake.path] });
    const { clock } = lake;
    const iceberg = icebergFormat({ storage, clock, random: seededRandom(formatVersion) });
    const format: TableFormat = {
      ...iceberg,
      create: (table, definition, location) =>
        iceberg.create(table, { ...definition, formatVersion }, location),
    };
    const catalog = directoryCatalog({ path: lake.path, storage, clock });
    return { format, catalog, storage, folder: lake.path, close: lake.close };
  });
}
