import { describe, expect, test } from 'vitest';
import { type FileTable, IdSearch, NO_TABLE } from '../../../src/scan/ids/id-search.ts';
import type { IdTrace } from '../../../src/scan/traces.ts';

const trace = (table: string | null, columns: readonly string[], value: string): IdTrace => ({
  ...{ table, columns, expectedIn: [], shared: false },
  values: [[{ type: 'long', value }]],
});
const of = (table: string): FileTable => ({ ...NO_TABLE, table });
const integer = { kind: 'integer' } as const;

describe('lookups of ids', () => {
  const search = new IdSearch([
    trace('a', ['id'], '1'),
    trace('b', ['id'], '2'),
    trace(null, ['id'], '3'),
    trace('a', ['other'], '4'),
  ]);
  const sought = (file: FileTable, name: string): readonly bigint[] => [
    ...(search.lookups(file, { name }, integer)?.integer.keys() ?? []),
  ];

  test('are made once for what is sought, and never taken for those of another table, column or type', () => {
    for (const _ of [1, 2]) {
      expect(sought(of('a'), 'id')).toEqual([1n, 3n]);
      expect(sought(of('b'), 'ID')).toEqual([2n, 3n]);
      expect(sought(of('a'), 'other')).toEqual([4n]);
      expect(sought(of('c'), 'id')).toEqual([3n]);
      expect(sought(of('c'), 'other')).toEqual([]);
      const decimal = (scale: number): readonly bigint[] => [
        ...search.lookups(of('b'), { name: 'id' }, { kind: 'decimal', scale })!.integer.keys(),
      ];
      expect(decimal(1)).toEqual([20n, 30n]);
      expect(decimal(2)).toEqual([200n, 300n]);
    }
    const lookups = search.lookups(of('a'), { name: 'id' }, integer);
    expect(search.lookups({ ...of('a') }, { name: 'Id' }, integer)).toBe(lookups);
  });

  test('are made again where a file has more kinds of columns than are kept', () => {
    for (let scale = 0; scale < 100; scale += 1)
      search.lookups(of('a'), { name: 'id' }, { kind: 'decimal', scale });
    expect(sought(of('b'), 'id')).toEqual([2n, 3n]);
  });
});
