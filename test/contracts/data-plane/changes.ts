import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { ClearColumn } from '../../../src/governance/governance.ts';
import { compare, equals, not, oneOf } from '../../../src/predicate/index.ts';
import type { PlaneFile } from '../../../src/warehouse/data-plane.ts';
import { long, plain, text } from './build.ts';
import { drain, failure, type Laboratory, tableOf } from './laboratory.ts';
import { clearedRow, PEOPLE, people } from './people.ts';
import type { Row } from './rows.ts';

function readRaw(file: PlaneFile): Buffer {
  return readFileSync(file.file.location);
}

/** Rows deleted and columns cleared, copy-on-write. */
export function changing(lab: Laboratory): void {
  describe('changing', () => {
    const three = () => lab.write(PEOPLE, [people(0, 10), people(10, 20), people(20, 30)]);

    test('rewrites only the files that hold a matching row, and keeps the order of the others', async () => {
      const { table, files, target } = await three();
      const before = files.map(readRaw);
      const result = await lab.plane.change(
        table,
        files,
        { delete: oneOf('id', [long(12), long(17)]) },
        target,
      );
      expect(result).toMatchObject({ rowsDeleted: 2, rowsCleared: 0, removed: [files[1]!.file.location] });
      expect(result.added).toHaveLength(1);
      expect(files.map(readRaw)).toEqual(before);
      const left = [files[0]!, plain(result.added[0]!), files[2]!];
      expect(await lab.readAll(table, left)).toEqual(
        people(0, 30).filter(({ id }) => id !== 12n && id !== 17n),
      );
    });

    test('keeps rows for which the predicate is unknown (hazard 23)', async () => {
      const { table, files, target } = await three();
      const work = { delete: not(equals('email', text('p1@example.org'))) };
      const result = await lab.plane.change(table, files, work, target);
      const kept = people(0, 30).filter(({ email }) => email === null || email === 'p1@example.org');
      expect(kept.length).toBeGreaterThan(2);
      expect(result.rowsDeleted).toBe(30 - kept.length);
      expect(await lab.readAll(table, result.added.map(plain))).toEqual(kept);
    });

    test('writes one file in place of one, however many rows go', async () => {
      const { table, files, target } = await three();
      const ids = Array.from({ length: 5000 }, (_, index) => long(index * 3));
      const result = await lab.plane.change(table, files, { delete: oneOf('id', ids) }, target);
      expect(result.added.map(({ recordCount }) => recordCount)).toEqual([6n, 7n, 7n]);
      expect(result.rowsDeleted).toBe(10);
    });

    test('writes no file in place of one that loses all its rows', async () => {
      const { table, files, target, folder } = await three();
      const result = await lab.plane.change(table, files, { delete: compare('id', '<', long(10)) }, target);
      expect(result).toEqual({
        added: [],
        removed: [files[0]!.file.location],
        rowsDeleted: 10,
        rowsCleared: 0,
      });
      expect(await readdir(folder)).toHaveLength(3);
    });

    test('does nothing where nothing matches', async () => {
      const { table, files, target, folder } = await three();
      const result = await lab.plane.change(table, files, { delete: equals('id', long(4711)) }, target);
      expect(result).toEqual({ added: [], removed: [], rowsDeleted: 0, rowsCleared: 0 });
      expect(await readdir(folder)).toHaveLength(3);
    });

    test('carries spec, partition and sort order of the file it replaces', async () => {
      const { table, files, target } = await lab.write(PEOPLE, [people(0, 4)]);
      const kept = { specId: 3, partition: [text('de'), null], sortOrderId: 2 };
      const placed = files.map((one) => ({ ...one, file: { ...one.file, ...kept } }));
      const result = await lab.plane.change(table, placed, { delete: equals('id', long(1)) }, target);
      expect(result.added[0]).toMatchObject({ ...kept, recordCount: 3n });
    });

    test('counts the metrics of what is left', async () => {
      const { table, files, target } = await lab.write(PEOPLE, [people(0, 10)]);
      const result = await lab.plane.change(table, files, { delete: compare('id', '>=', long(5)) }, target);
      expect(Buffer.from(result.added[0]!.metrics.upperBounds.get(1)!).toString('hex')).toBe(
        '0400000000000000',
      );
    });

    test('clears columns of matching rows, nested ones too, and leaves null structs null', async () => {
      const { table, files, target } = await three();
      const columns: ClearColumn[] = [
        { column: 'email', with: { kind: 'null' } },
        { column: 'address.city', with: { kind: 'constant', value: 'erased' } },
        { column: 'age', with: { kind: 'constant', value: '0' } },
        { column: 'tags', with: { kind: 'null' } },
      ];
      const where = compare('id', '<', long(5));
      const result = await lab.plane.change(table, files, { clear: { where, columns } }, target);
      expect(result).toMatchObject({ rowsDeleted: 0, rowsCleared: 5, removed: [files[0]!.file.location] });
      const expected = people(0, 10).map((row) => (Number(row.id) < 5 ? clearedRow(row) : row));
      expect(await lab.readAll(table, result.added.map(plain))).toEqual(expected);
      const again = await lab.plane.change(
        table,
        result.added.map(plain),
        { clear: { where, columns } },
        target,
      );
      expect(again).toEqual({ added: [], removed: [], rowsDeleted: 0, rowsCleared: 0 });
    });

    test('deletes and clears in one rewrite, and counts a row that is deleted once', async () => {
      const { table, files, target } = await three();
      const columns: ClearColumn[] = [{ column: 'email', with: { kind: 'constant', value: 'erased' } }];
      const work = {
        delete: compare('id', '<', long(2)),
        clear: { where: compare('id', '<', long(5)), columns },
      };
      const result = await lab.plane.change(table, files, work, target);
      expect(result).toMatchObject({ rowsDeleted: 2, rowsCleared: 3 });
      const rows = await lab.readAll(table, result.added.map(plain));
      expect(rows.map(({ email }) => email)).toEqual(
        people(2, 10).map(({ id, email }) => (Number(id) < 5 ? 'erased' : email)),
      );
    });

    test('clears rows for none of which it is known whether they go', async () => {
      const nobody: Row[] = people(0, 8).map((row) => ({ ...row, email: null }));
      const { table, files, target } = await lab.write(PEOPLE, [nobody]);
      const columns: ClearColumn[] = [{ column: 'age', with: { kind: 'constant', value: '0' } }];
      const work = {
        delete: equals('email', text('p1@example.org')),
        clear: { where: equals('id', long(3)), columns },
      };
      const result = await lab.plane.change(table, files, work, target);
      expect(result).toMatchObject({ rowsDeleted: 0, rowsCleared: 1 });
      expect(await lab.readAll(table, result.added.map(plain))).toEqual(
        nobody.map((row) => (row.id === 3n ? { ...row, age: 0 } : row)),
      );
    });

    const refusals: readonly [string, ClearColumn, string][] = [
      ['null in a required column', { column: 'id', with: { kind: 'null' } }, 'plane/clear-required'],
      ['a column that partitions read', { column: 'age', with: { kind: 'null' } }, 'plane/clear-structural'],
      [
        'a struct that holds such a column',
        { column: 'address', with: { kind: 'null' } },
        'plane/clear-structural',
      ],
      [
        'a constant of another type',
        { column: 'joined', with: { kind: 'constant', value: 'never' } },
        'plane/clear-constant',
      ],
      ['a column that is not there', { column: 'shoe', with: { kind: 'null' } }, 'plane/no-such-column'],
    ];
    test.each(refusals)('refuses to clear %s, and changes nothing', async (_, column, code) => {
      const { files, target, folder } = await three();
      const table = tableOf(PEOPLE, { structuralFieldIds: [5, 4] });
      const clear = { where: compare('id', '<', long(5)), columns: [column] };
      expect(await failure(lab.plane.change(table, files, { clear }, target))).toMatchObject({ code });
      expect(await readdir(folder)).toHaveLength(3);
    });

    test('applies delete files that come with a data file, or refuses them by name', async () => {
      const { table, files, target, folder } = await lab.write(PEOPLE, [people(0, 4)]);
      for (const content of ['position-deletes', 'equality-deletes'] as const) {
        if (lab.plane.capabilities.deletes.includes(content)) continue;
        const hidden = files.map((one) => ({ ...one, deletes: [{ ...one.file, content }] }));
        const work = lab.plane.change(table, hidden, { delete: equals('id', long(1)) }, target);
        expect(await failure(work)).toMatchObject({
          kind: 'refused',
          code: 'plane/deletes',
          data: { content },
        });
        expect(await failure(lab.plane.count(table, hidden))).toMatchObject({ code: 'plane/deletes' });
        expect(await failure(drain(lab.plane.read(table, hidden, {})))).toMatchObject({
          code: 'plane/deletes',
        });
      }
      expect(await readdir(folder)).toHaveLength(1);
    });
  });
}
