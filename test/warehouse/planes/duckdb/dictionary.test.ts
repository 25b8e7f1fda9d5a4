import { parquetMetadataAsync } from 'hyparquet';
import { asyncBufferFromFile } from 'hyparquet/src/node.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localStorage } from '../../../../src/storage/index.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { field } from '../../../contracts/data-plane/build.ts';
import { Laboratory } from '../../../contracts/data-plane/laboratory.ts';

const lab = new Laboratory();
beforeAll(async () => lab.open(await duckdbPlane({ storage: localStorage() })));
afterAll(() => lab.close());

test('a column of few values has a dictionary, one of ten thousand texts has none', async () => {
  const rows = Array.from({ length: 30_000 }, (_, id) => ({ few: `f${id % 5000}`, many: `m${id % 10_000}` }));
  const { files } = await lab.write([field(1, 'few', 'string'), field(2, 'many', 'string')], [rows]);
  const { row_groups: groups } = await parquetMetadataAsync(
    await asyncBufferFromFile(files[0]!.file.location),
  );
  const dictionaries = groups[0]!.columns.map(({ meta_data: chunk }) =>
    chunk!.encodings.some((encoding) => encoding.endsWith('_DICTIONARY')),
  );
  expect(dictionaries).toEqual([true, false]);
});
