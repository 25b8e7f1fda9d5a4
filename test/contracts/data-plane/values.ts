import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { equals } from '../../../src/predicate/index.ts';
import type { Field } from '../../../src/warehouse/schema.ts';
import { field, long, plain, struct, text } from './build.ts';
import { EVERY_TYPE, EXTREME_ROWS } from './every-type.ts';
import { failure, type Laboratory, tableOf } from './laboratory.ts';
import { ADDRESS, PEOPLE, people, STRICT_ADDRESS } from './people.ts';
import { cellsOf, type Row, rowsTable } from './rows.ts';

/** Rows that are written come back as they were, or are refused. */
export function writingAndReading(lab: Laboratory): void {
  describe('writing and reading', () => {
    test('gives back every value of every type as it was', async () => {
      const { table, files } = await lab.write(EVERY_TYPE, [EXTREME_ROWS]);
      expect(await lab.readAll(table, files)).toEqual(EXTREME_ROWS);
    });

    test('says of each file how many rows and bytes it has', async () => {
      const { files } = await lab.write(PEOPLE, [people(0, 10), people(10, 13)]);
      expect(files.map(({ file }) => file.recordCount)).toEqual([10n, 3n]);
      for (const { file } of files) expect(file.fileSize).toBe(BigInt(statSync(file.location).size));
    });

    test('writes no file for no rows', async () => {
      const { files, folder } = await lab.write(PEOPLE, [[]]);
      expect(files).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
    });

    test('takes batches as they come, and keeps their order', async () => {
      const table = tableOf(PEOPLE);
      const { target } = await lab.place();
      const batches = async function* () {
        for (let from = 0; from < 50; from += 10) yield* rowsTable(PEOPLE, people(from, from + 10)).batches;
      };
      const files = await lab.plane.write(table, batches(), target);
      expect(await lab.readAll(table, files.map(plain))).toEqual(people(0, 50));
    });

    test('begins a new file where one has reached its target size', async () => {
      const table = tableOf(PEOPLE, { properties: { 'write.target-file-size-bytes': '1' } });
      const { target } = await lab.place();
      const batches = [people(0, 10), people(10, 30)].flatMap((rows) => rowsTable(PEOPLE, rows).batches);
      const files = await lab.plane.write(table, batches, target);
      expect(files.map(({ recordCount }) => recordCount)).toEqual([10n, 20n]);
      expect(await lab.readAll(table, files.map(plain))).toEqual(people(0, 30));
    });

    test('fills an optional column that the rows lack with null', async () => {
      const table = tableOf(PEOPLE);
      const { target } = await lab.place();
      const narrow = PEOPLE.filter(({ name }) => name !== 'email');
      const rows = people(0, 3).map(({ email: _, ...rest }) => rest);
      const files = await lab.plane.write(table, rowsTable(narrow, rows), target);
      expect(await lab.readAll(table, files.map(plain))).toEqual(
        people(0, 3).map((row) => ({ ...row, email: null })),
      );
    });

    const misfits: readonly [string, readonly Field[], readonly Row[], string][] = [
      ['a required column that is missing', PEOPLE.slice(1), [{ email: 'secret@x' }], 'plane/column-missing'],
      [
        'a column the table lacks',
        [...PEOPLE, field(99, 'shoe', 'int')],
        [{ id: 1n, shoe: 4711 }],
        'plane/column-unknown',
      ],
      ['a null in a required column', PEOPLE, [{ id: null, email: 'secret@x' }], 'plane/null-in-required'],
      ['text for a number', [field(1, 'id', 'string', true)], [{ id: 'secret@x' }], 'plane/type'],
      [
        'a timestamp without a zone for an instant',
        [PEOPLE[0]!, field(9, 'joined', 'timestamp')],
        [{ id: 1n, joined: 1n }],
        'plane/type',
      ],
      [
        'a number that does not fit',
        [PEOPLE[0]!, field(5, 'age', 'long')],
        [{ id: 1n, age: 4_711_471_147n }],
        'plane/value',
      ],
      [
        'a decimal with too many digits',
        [PEOPLE[0]!, field(6, 'balance', 'decimal(12, 3)')],
        [{ id: 1n, balance: 4_711_471n }],
        'plane/value',
      ],
      [
        'a null in a required field of a struct',
        [PEOPLE[0]!, ADDRESS],
        [{ id: 1n, address: { city: 'secret', zip: null } }],
        'plane/null-in-required',
      ],
    ];
    test.each(misfits)('refuses %s, naming column and type but no value', async (_, fields, rows, code) => {
      const { target, folder } = await lab.place();
      const strict = PEOPLE.map((one) => (one.name === 'address' ? STRICT_ADDRESS : one));
      const error = await failure(lab.plane.write(tableOf(strict), rowsTable(fields, rows), target));
      expect(error).toMatchObject({ kind: 'input', code });
      expect(JSON.stringify([error.message, error.data, String(error.cause)])).not.toMatch(/secret|4711/);
      expect(await readdir(folder)).toEqual([]);
    });

    test('removes what it wrote where the rows fail halfway', async () => {
      const table = tableOf(PEOPLE, { properties: { 'write.target-file-size-bytes': '1' } });
      const { target, folder } = await lab.place();
      const batches = function* () {
        yield* rowsTable(PEOPLE, people(0, 10)).batches;
        yield* rowsTable(PEOPLE, [{ id: null }]).batches;
      };
      await failure(lab.plane.write(table, batches(), target));
      expect(await readdir(folder)).toEqual([]);
    });

    test.each(['fixed[4]', 'timestamptz_ns', 'geometry', 'variant', 'unknown'])(
      'gives back %s as it was, or refuses it by name',
      async (type) => {
        const { target, folder } = await lab.place();
        const fields = [field(1, 'id', 'long'), field(2, 'odd', type)];
        const rows = rowsTable(fields.slice(0, 1), [{ id: 1n }]);
        const error = await failure(lab.plane.write(tableOf(fields), rows, target));
        expect(error).toMatchObject({ code: 'plane/unsupported-type', data: { column: 'odd', type } });
        expect(await readdir(folder)).toEqual([]);
      },
    );

    test('a column of a type that it does not keep stands in nobody’s way who does not ask for it', async () => {
      const fields = [
        field(1, 'id', 'long'),
        field(2, 'odd', 'timestamptz_ns'),
        field(3, 'at', struct(field(4, 'n', 'geometry'))),
      ];
      const { files, target, folder } = await lab.write(fields.slice(0, 1), [[{ id: 1n }, { id: 2n }]]);
      const table = tableOf(fields);
      const where = equals('id', long(2));
      expect(await lab.plane.count(table, files, where)).toBe(1);
      const ids: Row[] = [];
      for await (const batch of lab.plane.read(table, files, { columns: ['id'] }))
        ids.push(...cellsOf(batch));
      expect(ids).toEqual([{ id: 1n }, { id: 2n }]);
      for (const refused of [
        lab.readAll(table, files),
        lab.plane.change(table, files, { delete: where }, target),
      ]) {
        const error = await failure(refused);
        expect(error).toMatchObject({
          code: 'plane/unsupported-type',
          data: { column: 'odd', type: 'timestamptz_ns' },
        });
      }
      expect(await readdir(folder)).toHaveLength(1);
    });

    test('knows columns by their names whatever is in them', async () => {
      const names = [
        'a.b',
        'say "hi"',
        "it's",
        'größe',
        'e\u0301',
        'Email',
        'email',
        'f1',
        'file',
        'pos',
        'filename',
        'file_row_number',
        '; drop',
        '%_',
        '🙂',
        '__proto__',
        'select',
      ];
      const fields = [
        field(
          1,
          'a',
          struct(
            field(2, 'b', 'string'),
            field(3, 'B', 'string'),
            field(4, '1', 'string'),
            field(5, '__proto__', 'string'),
          ),
        ),
        ...names.map((name, index) => field(10 + index, name, 'string')),
      ];
      const row = Object.fromEntries(names.map((name) => [name, `in ${name}`]));
      Object.defineProperty(row, '__proto__', { value: 'in proto', enumerable: true });
      const inner = Object.defineProperty({ b: 'small', B: 'great', 1: 'one' }, '__proto__', {
        value: 'deep',
        enumerable: true,
      });
      const { table, files } = await lab.write(fields, [[{ a: inner, ...row } as Row, {}]]);
      for (const name of names) {
        const value = name === '__proto__' ? undefined : `in ${name}`;
        if (value === undefined) continue;
        expect(await lab.plane.count(table, files, equals(name, text(value)))).toBe(1);
        const batches = lab.plane.read(table, files, { columns: [name], where: equals(name, text(value)) });
        for await (const batch of batches) expect(cellsOf(batch)).toEqual([{ [name]: value }]);
      }
      expect(await lab.plane.count(table, files, equals('a.B', text('great')))).toBe(1);
      expect(await lab.plane.count(table, files, equals('a.1', text('one')))).toBe(1);
    });

    test('reads files whatever their paths hold', async () => {
      const folder = `w[ei]*rd?{a,b}'q 100%/when=2024-01-01/größe=🙂`;
      const { table, files } = await lab.write(PEOPLE, [people(0, 5), people(5, 9)], { folder });
      expect(await lab.readAll(table, files)).toEqual(people(0, 9));
    });
  });
}
