import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TableColumns } from '../../../../src/erasure/plan/model/table-columns.ts';

const TABLES = 4;
const step = fc.record({
  table: fc.nat(TABLES - 1),
  name: fc.nat(12).map((at) => `column ${at}`),
  column: fc.oneof({ weight: 2, arbitrary: fc.nat(1000) }, fc.constant(null)),
});

test('columns are found and listed as by a map for each table, whatever is set, set again and deleted', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), fc.nat(8), (steps, room) => {
      const columns = new TableColumns(TABLES - 1, room);
      columns.addTable();
      const maps = Array.from({ length: TABLES }, () => new Map<string, number>());
      for (const { table, name, column } of steps) {
        const map = maps[table]!;
        if (column === null) {
          columns.delete(table, name);
          map.delete(name);
        } else {
          columns.set(table, name, column);
          map.set(name, column);
        }
        expect(columns.find(table, name)).toBe(map.get(name));
        expect([...columns.of(table)]).toEqual([...map.values()]);
      }
      expect(columns.find(0, 'another')).toBeUndefined();
    }),
    { seed: 24, numRuns: 60 },
  );
});
