import { readFileSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { equals, not } from '../../../src/predicate/index.ts';
import { text } from './build.ts';
import { drain, failure, type Laboratory } from './laboratory.ts';
import { PEOPLE, people } from './people.ts';

/** Overwrites bytes at an offset, from the end where it is negative; the length stays. */
function patch(path: string, offset: number, content: Uint8Array): void {
  const all = readFileSync(path);
  all.set(content, offset < 0 ? all.length + offset : offset);
  writeFileSync(path, all);
}

/** Bytes between the leading magic and the footer. */
function dataLength(path: string): number {
  const all = readFileSync(path);
  return all.length - 4 - 8 - all.readUInt32LE(all.length - 8);
}

/** Files that are not what the metadata says. */
export function badFiles(lab: Laboratory): void {
  describe('data files that are bad', () => {
    const damages: readonly [string, (path: string) => void, string][] = [
      ['gone', (path) => unlinkSync(path), 'plane/file-gone'],
      ['cut short', (path) => truncateSync(path, statSync(path).size - 20), 'plane/file-mismatch'],
      ['empty', (path) => truncateSync(path, 0), 'plane/file-mismatch'],
      [
        'no Parquet',
        (path) => writeFileSync(path, Buffer.alloc(statSync(path).size, 'secret')),
        'plane/file-damaged',
      ],
      ['encrypted', (path) => patch(path, -4, Buffer.from('PARE')), 'plane/file-encrypted'],
      [
        'a footer longer than the file',
        (path) => patch(path, -8, Buffer.from('ffffff7f', 'hex')),
        'plane/file-damaged',
      ],
      ['a footer of noise', (path) => patch(path, -40, Buffer.alloc(32, 0xff)), 'plane/file-damaged'],
      [
        'damaged in its pages',
        (path) => patch(path, 4, Buffer.alloc(dataLength(path), 0xff)),
        'plane/file-damaged',
      ],
    ];
    test.each(damages)('%s: an error that names the file, and nothing is left', async (_, damage, code) => {
      const { table, files, target, folder } = await lab.write(PEOPLE, [people(0, 300), people(300, 600)]);
      const bad = files[1]!.file.location;
      damage(bad);
      const before = (await readdir(folder)).sort();
      const works = [
        () => lab.plane.count(table, files, not(equals('email', text('p1@example.org')))),
        () => drain(lab.plane.read(table, files, {})),
        () => drain(lab.plane.distinct(table, files, ['email', 'id', 'joined', 'address.city'])),
        () =>
          lab.plane.change(table, files, { delete: not(equals('email', text('p1@example.org'))) }, target),
      ];
      for (const work of works) {
        const error = await failure(work());
        expect(error).toMatchObject({ kind: 'failed', code, data: { file: bad } });
        expect(JSON.stringify([error.message, error.data, String(error.cause)])).not.toMatch(
          /secret|example/,
        );
      }
      expect((await readdir(folder)).sort()).toEqual(before);
    });

    test('a file that holds other rows than the metadata says', async () => {
      const { table, files } = await lab.write(PEOPLE, [people(0, 10)]);
      const other = files.map((one) => ({ ...one, file: { ...one.file, recordCount: 11n } }));
      expect(await failure(lab.plane.count(table, other))).toMatchObject({ code: 'plane/file-mismatch' });
    });

    test('a format the plane does not know is refused by name', async () => {
      const { table, files } = await lab.write(PEOPLE, [people(0, 10)]);
      const orc = files.map((one) => ({ ...one, file: { ...one.file, format: 'orc' } }));
      expect(await failure(lab.plane.count(table, orc))).toMatchObject({
        kind: 'refused',
        code: 'plane/format',
      });
    });
  });
}
