import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compare, equals, oneOf } from '../../../src/predicate/index.ts';
import type { DataFile } from '../../../src/warehouse/data-file.ts';
import type { PlaneFile, PlaneTable } from '../../../src/warehouse/data-plane.ts';
import type { Field } from '../../../src/warehouse/schema.ts';
import { puffinOfVectors } from '../../support/deletion-vector.ts';
import { field, list, long, NO_METRICS, plain, struct, text } from './build.ts';
import { failure, type Laboratory, tableOf } from './laboratory.ts';
import { clearedRow, PEOPLE, people } from './people.ts';
import type { Row } from './rows.ts';

const PATH = { ...field(2147483546, 'file_path', 'string'), required: true };
const POSITION = { ...field(2147483545, 'pos', 'long'), required: true };

/** Delete files of every kind, as they come with data files. */
export function deletes(lab: Laboratory): void {
  const positions = async (
    rows: readonly (readonly [file: string, pos: number])[],
    more: readonly Field[] = [],
  ) => {
    const named = rows.map(([file, pos]) => ({ file_path: file, pos: BigInt(pos) }));
    return deleteFile([PATH, POSITION, ...more], named, { content: 'position-deletes' });
  };
  const keys = (fields: readonly Field[], rows: readonly Row[], ids = fields.map(({ id }) => id)) =>
    deleteFile(fields, rows, { content: 'equality-deletes', equalityIds: ids });
  const deleteFile = async (
    fields: readonly Field[],
    rows: readonly Row[],
    rest: Pick<DataFile, 'content'> & Partial<DataFile>,
  ): Promise<DataFile> => {
    const { files } = await lab.write(fields, [rows]);
    return { ...files[0]!.file, ...rest };
  };
  const vectors = async (
    of: readonly { readonly dataFile: string; readonly positions: readonly number[] }[],
  ): Promise<readonly DataFile[]> => {
    const { bytes, places } = puffinOfVectors(of);
    const location = join((await lab.place()).folder, 'dv.puffin');
    writeFileSync(location, bytes);
    return of.map(({ dataFile, positions }, index) => ({
      content: 'position-deletes',
      location,
      format: 'puffin',
      specId: 0,
      partition: [],
      recordCount: BigInt(positions.length),
      fileSize: BigInt(bytes.length),
      metrics: NO_METRICS,
      referencedDataFile: dataFile,
      contentOffset: BigInt(places[index]!.offset),
      contentSize: BigInt(places[index]!.length),
    }));
  };
  const covered = (
    files: readonly PlaneFile[],
    ...of: readonly (readonly DataFile[])[]
  ): readonly PlaneFile[] => files.map(({ file }, index) => ({ file, deletes: of[index] ?? [] }));
  const reads = async (
    table: PlaneTable,
    files: readonly PlaneFile[],
    rows: readonly Row[],
  ): Promise<void> => {
    expect(await lab.readAll(table, files)).toEqual(rows);
    expect(await lab.plane.count(table, files)).toBe(rows.length);
    const distinct = [];
    for await (const [id] of lab.plane.distinct(table, files, ['id']))
      distinct.push(BigInt(String(id?.value)));
    expect(distinct.sort((a, b) => Number(a - b))).toEqual(
      rows.map(({ id }) => id as bigint).sort((a, b) => Number(a - b)),
    );
  };
  const without = (rows: readonly Row[], ...ids: readonly number[]): readonly Row[] =>
    rows.filter(({ id }) => !ids.includes(Number(id)));

  describe('delete files', () => {
    test('positions hide rows of the files that they name and apply to, and of no others', async () => {
      const { table, files } = await lab.write(PEOPLE, [people(0, 10), people(10, 20), people(20, 30)]);
      const [a, b, c] = files.map(({ file }) => file.location);
      const both = await positions([
        [a!, 0],
        [a!, 9],
        [b!, 4],
        [b!, 4],
        [c!, 5],
        [a!, 10],
        [a!, 99],
        ['/gone.parquet', 1],
      ]);
      // It names rows of the third file too, but does not apply to it.
      await reads(table, covered(files, [both], [both]), without(people(0, 30), 0, 9, 14));
    });

    test('keys hide rows whose values are equal, null to null, whatever the file was written as', async () => {
      const old = [
        field(1, 'id', 'long'),
        field(2, 'n', 'int'),
        field(3, 'who', 'string'),
        field(4, 'gone', 'string'),
      ];
      const now = [
        field(3, 'name', 'string'),
        field(1, 'id', 'long'),
        field(2, 'n', 'long'),
        { ...field(5, 'level', 'int'), initialDefault: 7 },
      ];
      const rows: Row[] = [
        { id: 1n, n: 1, who: 'a', gone: 'x' },
        { id: 2n, n: null, who: 'b', gone: 'y' },
        { id: 3n, n: 3, who: null, gone: null },
        { id: 4n, n: null, who: null, gone: 'y' },
        { id: 5n, n: 5, who: 'e', gone: 'x' },
      ];
      const { files } = await lab.write(old, [rows]);
      const table = { ...tableOf(now), olderSchemas: [{ id: 0, fields: old, identifierFieldIds: [] }] };
      const expected = rows.map(({ id, n, who }) => ({
        name: who!,
        id: id!,
        n: n === null ? null : BigInt(n as number),
        level: 7,
      }));
      const hiding = async (fields: readonly Field[], values: Row[], ...ids: number[]): Promise<void> => {
        const by = await keys(fields, values);
        await reads(table, covered(files, [by]), without(expected, ...ids));
      };
      await hiding([now[2]!], [{ n: 5n }, { n: null }], 2, 4, 5);
      await hiding([old[1]!], [{ n: 1 }], 1);
      await hiding(
        [old[2]!, old[1]!],
        [
          { who: null, n: null },
          { who: 'a', n: 2 },
        ],
        4,
      );
      await hiding([old[3]!], [{ gone: 'y' }], 2, 4);
      await hiding([now[3]!], [{ level: 7 }], 1, 2, 3, 4, 5);
      await hiding([now[3]!], [{ level: null }, { level: 8 }]);
    });

    test('keys compare only the columns they say, also inside structs', async () => {
      const fields = [
        field(1, 'id', 'long'),
        field(2, 'at', struct(field(3, 'city', 'string'), field(4, 'zip', 'int'))),
        field(5, 'all', list(6, 'int')),
      ];
      const rows: Row[] = [
        { id: 1n, at: { city: 'Ulm', zip: 1 }, all: [1] },
        { id: 2n, at: { city: 'Ulm', zip: 2 }, all: null },
        { id: 3n, at: null, all: [] },
      ];
      const { table, files } = await lab.write(fields, [rows]);
      const nested = await keys([fields[1]!], [{ at: { city: 'other', zip: 2 } }], [4]);
      await reads(table, covered(files, [nested]), without(rows, 2));
      const missing = await keys([fields[1]!], [{ at: { city: null, zip: null } }], [4]);
      await reads(table, covered(files, [missing]), without(rows, 3));
      const extra = await keys(fields.slice(0, 2), [{ id: 1n, at: null }], [1]);
      await reads(table, covered(files, [extra]), without(rows, 1));
    });

    test('vectors hide rows by position, several in one file, in arrays and bitmaps', async () => {
      const rows = Array.from({ length: 70_000 }, (_, id) => ({ id: BigInt(id) }));
      const fields = [field(1, 'id', 'long')];
      const { table, files } = await lab.write(fields, [rows, rows.slice(0, 10)]);
      const [a, b] = files.map(({ file }) => file.location);
      const hidden = [...Array.from({ length: 20_000 }, (_, index) => index * 3), 65_535, 65_536, 69_999];
      const [first, second] = await vectors([
        { dataFile: a!, positions: [...new Set(hidden)].sort((x, y) => x - y) },
        { dataFile: b!, positions: [7] },
      ]);
      const left = [
        ...without(rows, ...hidden.slice(-3)).filter(({ id }) => Number(id) >= 60_000 || Number(id) % 3 > 0),
        ...without(rows.slice(0, 10), 7),
      ];
      expect(await lab.readAll(table, covered(files, [first!], [second!]))).toEqual(left);
    });

    test('all kinds at once, and a rewrite applies them: no deleted row comes back (hazard 24)', async () => {
      const { table, files, target } = await lab.write(PEOPLE, [
        people(0, 40),
        people(40, 80),
        people(80, 120),
      ]);
      const [a, b] = files.map(({ file }) => file.location);
      const byKey = await keys([PEOPLE[1]!], [{ email: 'p1@example.org' }, { email: null }]);
      const byPosition = await positions([
        [a!, 0],
        [a!, 1],
        [b!, 2],
      ]);
      const [vector] = await vectors([{ dataFile: b!, positions: [4, 5] }]);
      const given = covered(files, [byKey, byPosition], [vector!, byKey]);
      const visible = people(0, 120).filter(({ id, email }) => {
        if ((id as bigint) >= 80n) return true;
        return email !== null && email !== 'p1@example.org' && ![0, 44, 45].includes(Number(id));
      });
      await reads(table, given, visible);
      const work = {
        delete: oneOf('id', [long(2), long(46), long(44), long(83)]),
        clear: {
          where: compare('id', '<', long(10)),
          columns: [
            { column: 'email', with: { kind: 'null' } },
            { column: 'age', with: { kind: 'constant', value: '0' } },
            { column: 'tags', with: { kind: 'null' } },
            { column: 'address.city', with: { kind: 'constant', value: 'erased' } },
          ],
        },
      } as const;
      const changed = await lab.plane.change(table, given, work, target);
      expect(changed).toMatchObject({ rowsDeleted: 3, removed: files.map(({ file }) => file.location) });
      const left = without(visible, 2, 46, 83).map((row) =>
        (row.id as bigint) < 10n ? clearedRow(row) : row,
      );
      expect(changed.rowsCleared).toBe(left.filter(({ id }) => (id as bigint) < 10n).length);
      expect(await lab.readAll(table, changed.added.map(plain))).toEqual(left);
    });

    test('a row that a delete file hides is left where it is, unless the work is physical (hazard 37)', async () => {
      const { table, files, target } = await lab.write(PEOPLE, [people(0, 10), people(10, 20)]);
      const [a] = files.map(({ file }) => file.location);
      const given = covered(files, [await positions([[a!, 5]])]);
      const work = { delete: equals('email', text('p5@example.org')) };
      expect(await lab.plane.change(table, given, work, target)).toEqual({
        added: [],
        removed: [],
        rowsDeleted: 0,
        rowsCleared: 0,
      });
      expect(await lab.plane.count(table, files, work.delete)).toBe(1);
      const changed = await lab.plane.change(table, given, { ...work, physically: true }, target);
      expect(changed).toMatchObject({ removed: [a], rowsDeleted: 0 });
      expect(await lab.readAll(table, changed.added.map(plain))).toEqual(without(people(0, 10), 5));
      expect(await lab.plane.count(table, changed.added.map(plain), work.delete)).toBe(0);
    });

    test('a file that loses its last visible row is not written again; one that is to be compacted is', async () => {
      const { table, files, target } = await lab.write(PEOPLE, [people(0, 3), people(10, 13)]);
      const [a, b] = files.map(({ file }) => file.location);
      const by = await positions([
        [a!, 0],
        [a!, 1],
        [b!, 0],
      ]);
      const given = covered(files, [by], [by]).map((file) => ({ ...file, compact: true }));
      const changed = await lab.plane.change(table, given, { delete: equals('id', long(2)) }, target);
      expect(changed).toMatchObject({ rowsDeleted: 1, removed: [a, b] });
      expect(await lab.readAll(table, changed.added.map(plain))).toEqual(people(11, 13));
    });

    test('keeps the order of rows when most are hidden', async () => {
      const rows = Array.from({ length: 300_000 }, (_, id) => ({ id: BigInt(id) }));
      const { table, files, target } = await lab.write([field(1, 'id', 'long')], [rows]);
      const by = await keys(
        [field(1, 'id', 'long')],
        rows.filter(({ id }) => id % 3n > 0n),
      );
      const kept = rows.filter(({ id }) => id % 3n === 0n && id !== 3n);
      const changed = await lab.plane.change(
        table,
        covered(files, [by]),
        { delete: equals('id', long(3)) },
        target,
      );
      const found = await lab.readAll(table, changed.added.map(plain));
      expect(found.length).toBe(kept.length);
      expect(found.every(({ id }, index) => id === kept[index]!.id)).toBe(true);
    });

    test('says what delete files name and whether they may hold a row', async () => {
      const { table, files } = await lab.write(PEOPLE, [people(0, 10)]);
      const location = files[0]!.file.location;
      const byPosition = await positions([[location, 1]]);
      const withRows = await positions(
        [[location, 1]],
        [field(2147483544, 'row', struct(field(2, 'email', 'string')))],
      );
      const byId = await keys([PEOPLE[0]!], [{ id: 4n }, { id: 5n }]);
      const byEmail = await keys([PEOPLE[1]!], [{ email: 'p4@example.org' }]);
      const [vector] = await vectors([{ dataFile: location, positions: [1] }]);
      const given = [byPosition, withRows, byId, byEmail, vector!];
      const look = async (id: number): Promise<readonly boolean[]> =>
        (await lab.plane.inspectDeletes(table, given, equals('id', long(id)))).map(({ mayHold }) => mayHold);
      expect(await look(4)).toEqual([false, true, true, true, false]);
      expect(await look(6)).toEqual([false, true, false, true, false]);
      const [first, , third] = await lab.plane.inspectDeletes(table, given, equals('id', long(4)));
      expect([[...first!.names], [...third!.names]]).toEqual([[location], []]);
    });

    const broken: readonly [string, (bytes: Buffer, at: number) => number, string][] = [
      ['a flipped bit', (bytes, at) => bytes.writeUInt8(bytes[at + 30]! ^ 1, at + 30), 'plane/file-damaged'],
      ['another magic', (bytes, at) => bytes.writeUInt8(0, at + 4), 'plane/file-damaged'],
      ['another length', (bytes, at) => bytes.writeUInt8(bytes[at + 3]! + 1, at + 3), 'plane/file-damaged'],
    ];
    test.each(broken)('a vector with %s is an error that names its file', async (_, damage, code) => {
      const { table, files } = await lab.write(PEOPLE, [people(0, 10)]);
      const [vector] = await vectors([{ dataFile: files[0]!.file.location, positions: [1, 2, 3] }]);
      const bytes = readFileSync(vector!.location);
      damage(bytes, Number(vector!.contentOffset));
      writeFileSync(vector!.location, bytes);
      const error = await failure(lab.plane.count(table, covered(files, [vector!])));
      expect(error).toMatchObject({ kind: 'failed', code, data: { file: vector!.location } });
    });

    test('a delete file that is damaged in its pages is an error that names it', async () => {
      const { table, files } = await lab.write(PEOPLE, [people(0, 300)]);
      const emails = people(0, 300).map(({ email }) => ({ email: email! }));
      for (const by of [
        await keys([PEOPLE[1]!], emails),
        await positions(people(0, 300).map((_, pos) => [files[0]!.file.location, pos])),
      ]) {
        const bytes = readFileSync(by.location);
        bytes.fill(0xff, 4, bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8));
        writeFileSync(by.location, bytes);
        const error = await failure(lab.plane.count(table, covered(files, [by])));
        expect(error).toMatchObject({ code: 'plane/file-damaged', data: { file: by.location } });
        expect(JSON.stringify([error.message, error.data])).not.toContain('example.org');
      }
    });

    test('deletes that contradict the metadata, or lack what they compare, are refused or failed', async () => {
      const { table, files } = await lab.write(PEOPLE, [people(0, 10)]);
      const location = files[0]!.file.location;
      const [beyond] = await vectors([{ dataFile: location, positions: [3, 10] }]);
      const [other] = await vectors([{ dataFile: location, positions: [3, 4] }]);
      const key = await keys([PEOPLE[0]!], [{ id: 1n }]);
      const cases: readonly [DataFile, string][] = [
        [beyond!, 'plane/file-damaged'],
        [{ ...other!, recordCount: 3n }, 'plane/file-damaged'],
        [{ ...other!, location: `${location}.puffin` }, 'plane/file-gone'],
        [{ ...key, equalityIds: [2] }, 'plane/delete-columns'],
        [{ ...key, equalityIds: [99] }, 'plane/delete-columns'],
        [{ ...key, equalityIds: [] }, 'plane/delete-columns'],
        [{ ...key, recordCount: 2n }, 'plane/file-mismatch'],
        [{ ...key, format: 'orc' }, 'plane/format'],
      ];
      for (const [by, code] of cases) {
        expect(await failure(lab.plane.count(table, covered(files, [by])))).toMatchObject({ code });
      }
    });
  });
}
