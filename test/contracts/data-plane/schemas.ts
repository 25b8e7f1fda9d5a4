import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { equals } from '../../../src/predicate/index.ts';
import { field, list, long, plain, struct, text } from './build.ts';
import { type Laboratory, tableOf } from './laboratory.ts';
import type { Row } from './rows.ts';

/** Files written under older schemas. */
export function changedSchemas(lab: Laboratory): void {
  describe('schemas that changed', () => {
    test('finds columns by field id, widens types and fills in what was added', async () => {
      const old = [
        field(1, 'id', 'long'),
        field(2, 'n', 'int'),
        field(3, 'x', 'float'),
        field(4, 'who', 'string'),
        field(5, 'gone', 'string'),
        field(6, 'price', 'decimal(9, 2)'),
        field(7, 'at', struct(field(8, 'city', 'string'), field(9, 'zip', 'int'))),
        field(12, 'all', list(13, struct(field(14, 'k', 'string')))),
      ];
      const now = [
        field(4, 'gone', 'string'),
        field(1, 'id', 'long'),
        field(2, 'n', 'long'),
        field(3, 'x', 'double'),
        field(6, 'price', 'decimal(12, 2)'),
        field(10, 'added', 'string'),
        field(
          7,
          'place',
          struct(field(9, 'postcode', 'long'), field(8, 'zip', 'string'), field(11, 'land', 'string')),
        ),
        field(12, 'all', list(13, struct(field(15, 'v', 'int'), field(14, 'key', 'string')))),
        { ...field(16, 'level', 'int'), initialDefault: 7 },
      ];
      const first: Row = {
        id: 1n,
        n: 5,
        x: 1.5,
        who: 'ada',
        gone: 'secret',
        price: 150n,
        at: { city: 'Ulm', zip: 7 },
        all: [{ k: 'a' }, null],
      };
      const { files, target } = await lab.write(old, [[first, { id: 2n }]]);
      const table = tableOf(now);
      const expected: Row[] = [
        {
          gone: 'ada',
          id: 1n,
          n: 5n,
          x: 1.5,
          price: 150n,
          added: null,
          place: { postcode: 7n, zip: 'Ulm', land: null },
          all: [{ v: null, key: 'a' }, null],
          level: 7,
        },
        {
          gone: null,
          id: 2n,
          n: null,
          x: null,
          price: null,
          added: null,
          place: null,
          all: null,
          level: 7,
        },
      ];
      expect(await lab.readAll(table, files)).toEqual(expected);
      expect(await lab.plane.count(table, files, equals('place.zip', text('Ulm')))).toBe(1);
      const result = await lab.plane.change(table, files, { delete: equals('id', long(2)) }, target);
      expect(await lab.readAll(table, result.added.map(plain))).toEqual(expected.slice(0, 1));
      expect(readFileSync(result.added[0]!.location).includes('secret')).toBe(false);
    });

    test('reads files of several schemas together', async () => {
      const old = await lab.write(
        [field(1, 'id', 'long'), field(2, 'at', struct(field(3, 'city', 'string')))],
        [[{ id: 1n, at: { city: 'Ulm' } }]],
      );
      const fields = [
        field(1, 'id', 'long'),
        field(2, 'place', struct(field(4, 'land', 'string'), field(3, 'town', 'string'))),
      ];
      const now = await lab.write(fields, [[{ id: 2n, place: { land: 'DE', town: 'Kiel' } }]]);
      expect(await lab.readAll(now.table, [...old.files, ...now.files])).toEqual([
        { id: 1n, place: { land: null, town: 'Ulm' } },
        { id: 2n, place: { land: 'DE', town: 'Kiel' } },
      ]);
    });
  });
}
