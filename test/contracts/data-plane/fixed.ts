import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { equals } from '../../../src/predicate/index.ts';
import { bytes, dataFixture, field, long, plain, struct } from './build.ts';
import { drain, failure, type Laboratory, tableOf } from './laboratory.ts';
import { cellsOf, type Row } from './rows.ts';

/** What pyarrow wrote with `make-fixed.py`. */
const file = dataFixture('pyarrow-26.0.1-fixed.parquet', 3n);
const fields = [
  field(1, 'id', 'long'),
  field(2, 'raw', 'fixed[5]'),
  field(3, 'at', struct(field(4, 'n', 'fixed[2]'))),
];
const rows: readonly Row[] = [
  { id: 1n, raw: bytes('000102feff'), at: { n: bytes('6162') } },
  { id: 2n, raw: new Uint8Array(Buffer.from('hello')), at: null },
  { id: 3n, raw: null, at: { n: null } },
];

/** Bytes of a fixed length are read as they are; a file with such a column is written again as it was, or not at all. */
export function fixedBytes(lab: Laboratory): void {
  describe('bytes of a fixed length', () => {
    test('are read, asked for and told apart', async () => {
      const table = tableOf(fields);
      expect(await lab.readAll(table, [file])).toEqual(rows);
      const hello = equals('raw', { type: 'binary', value: Buffer.from('hello').toString('hex') });
      expect(await lab.readAll(table, [file], hello)).toEqual([rows[1]]);
      expect(await lab.plane.count(table, [file], hello)).toBe(1);
      const tuples: unknown[] = [];
      for await (const tuple of lab.plane.distinct(table, [file], ['raw']))
        tuples.push(tuple[0]?.value ?? null);
      expect(tuples.map(String).sort()).toEqual(['000102feff', '68656c6c6f', 'null']);
    });

    test('are those of the initial default in files from before the column', async () => {
      const added = { ...field(9, 'added', 'fixed[3]'), initialDefault: '01ff00' };
      const read: Row[] = [];
      for await (const batch of lab.plane.read(tableOf([...fields, added]), [file], { columns: ['added'] }))
        read.push(...cellsOf(batch));
      expect(read).toEqual(rows.map(() => ({ added: bytes('01ff00') })));
    });

    test('of another length than the table says are refused', async () => {
      const table = tableOf([field(2, 'raw', 'fixed[4]')]);
      const error = await failure(drain(lab.plane.read(table, [file], {})));
      expect(error).toMatchObject({ code: 'plane/value-length', data: { type: 'fixed[4]', length: 5 } });
    });

    test('are kept by a rewrite, or refuse it by name', async () => {
      const { target, folder } = await lab.place();
      const change = lab.plane.change(tableOf(fields), [file], { delete: equals('id', long(1)) }, target);
      if (lab.plane.capabilities.types.includes('fixed')) {
        const { added } = await change;
        expect(await lab.readAll(tableOf(fields), added.map(plain))).toEqual(rows.slice(1));
      } else {
        const error = await failure(change);
        expect(error).toMatchObject({
          code: 'plane/unsupported-type',
          data: { column: 'raw', type: 'fixed[5]' },
        });
        expect(await readdir(folder)).toEqual([]);
      }
    });

    test('instants in nanoseconds with a zone are given to the last digit, or refused by name', async () => {
      const table = tableOf([field(5, 'when', 'timestamptz_ns')]);
      const error = await failure(drain(lab.plane.read(table, [file], {})));
      expect(error).toMatchObject({ code: 'plane/unsupported-type', data: { column: 'when' } });
      expect(await lab.plane.count(table, [file])).toBe(3);
    });
  });
}
