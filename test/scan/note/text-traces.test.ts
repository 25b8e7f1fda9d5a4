import { expect, test } from 'vitest';
import { textTraces } from '../../../src/scan/index.ts';
import type { TableDescription, Warehouse } from '../../../src/warehouse/warehouse.ts';

/** Tables of which nothing but the properties matters. */
function tables(...all: readonly Readonly<Record<string, string>>[]): Pick<Warehouse, 'list' | 'describe'> {
  return {
    list: async () => all.map((_, index) => `t${index}`),
    describe: async (table) =>
      ({ table, properties: all[Number(table.slice(1))] }) as Partial<TableDescription> as TableDescription,
  };
}

test.each([
  ['nothing set: Iceberg keeps 16 characters', [{}], 15],
  ['a column that keeps more', [{ 'write.metadata.metrics.column.c': 'truncate(40)' }], 15],
  ['a column that keeps fewer', [{}, { 'write.metadata.metrics.column.c': 'truncate(10)' }], 9],
  ['a default that keeps fewer', [{ 'write.metadata.metrics.default': 'truncate(12)' }, {}], 11],
])('S1: a value kept elsewhere is cut as bounds are: %s', async (_, properties, kept) => {
  const value = 'ada.lovelace@post.example';
  expect(await textTraces({ warehouse: tables(...properties), values: [value, '  '] })).toEqual([
    { text: value.slice(0, kept), wholeCell: false, shared: false },
  ]);
});
