import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { type FileMetaData, parquetMetadata } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { equals } from '../../../../src/predicate/index.ts';
import { localStorage } from '../../../../src/storage/index.ts';
import { startEngine } from '../../../../src/warehouse/planes/duckdb/engine.ts';
import { duckdbError } from '../../../../src/warehouse/planes/duckdb/errors.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { field, list, long, struct } from '../../../contracts/data-plane/build.ts';
import { drain, failure, Laboratory, tableOf } from '../../../contracts/data-plane/laboratory.ts';
import { PEOPLE, people } from '../../../contracts/data-plane/people.ts';

const lab = new Laboratory();
const temporary = mkdtempSync(join(tmpdir(), 'lethe-test-'));
beforeAll(async () => lab.open(await duckdbPlane({ storage: localStorage(), temporary })));
afterAll(async () => {
  await lab.close();
  rmSync(temporary, { recursive: true, force: true });
});

function metadataOf(location: string): FileMetaData {
  const bytes = readFileSync(location);
  return parquetMetadata(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
  );
}

describe('the files it writes', () => {
  const fields = [
    field(1, 'id', 'long', true),
    field(7, 'a.b', struct(field(8, 'x', 'string'), field(9, 'y', list(10, struct(field(11, 'z', 'int')))))),
    field(12, 'm', {
      type: 'map',
      keyId: 13,
      key: 'string',
      valueId: 14,
      valueRequired: false,
      value: struct(field(15, 'w', 'double')),
    }),
  ];

  test('carry the field id of every field, nested ones too', async () => {
    const { files } = await lab.write(fields, [[{ id: 1n }]]);
    const { schema } = metadataOf(files[0]!.file.location);
    const ids = schema
      .filter(({ field_id }) => field_id !== undefined)
      .map(({ name, field_id }) => [name, field_id]);
    expect(ids).toEqual([
      ['id', 1],
      ['a.b', 7],
      ['x', 8],
      ['y', 9],
      ['element', 10],
      ['z', 11],
      ['m', 12],
      ['key', 13],
      ['value', 14],
      ['w', 15],
    ]);
  });

  test('are compressed with zstd, have no bloom filters, and start their row groups where the metadata says', async () => {
    const words = Array.from({ length: 5000 }, (_, index) => ({
      id: 1n,
      'a.b': { x: `w${index % 3}`, y: null },
    }));
    const { files } = await lab.write(fields, [words]);
    const { row_groups } = metadataOf(files[0]!.file.location);
    const columns = row_groups.flatMap((group) => group.columns.map(({ meta_data }) => meta_data!));
    expect(new Set(columns.map(({ codec }) => codec))).toEqual(new Set(['ZSTD']));
    expect(columns.map(({ bloom_filter_offset }) => bloom_filter_offset)).toEqual(
      columns.map(() => undefined),
    );
    expect(files[0]!.file.splitOffsets).toEqual([4n]);
  });

  test('leave nothing in the private folder', async () => {
    await lab.write(PEOPLE, [people(0, 10)]);
    const [folder] = readdirSync(temporary);
    expect(readdirSync(join(temporary, folder!))).toEqual([]);
  });
});

describe('errors of DuckDB', () => {
  test('are given on without the values that DuckDB quotes', async () => {
    const engine = await startEngine({ threads: 1, memoryLimit: '200MB', temporary });
    const doing = { doing: 'reading', table: 'crm.people' };
    const works = [
      () => engine.session(doing, (session) => session.rows(`SELECT CAST('zoe@example.org' AS INTEGER)`)),
      () => engine.session(doing, (session) => session.run(`SELECT 'zoe@example.org' FROM nowhere`)),
      () => drain(engine.stream(doing, `SELECT CAST('zoe@example.org' AS INTEGER)`)),
    ];
    for (const work of works) {
      const error = await failure(work());
      expect(error).toMatchObject({ code: 'plane/duckdb', kind: 'failed', data: { table: 'crm.people' } });
      expect(`${error.stack}${JSON.stringify(error)}${error.cause}`).not.toContain('zoe');
    }
    await engine.close();
  });

  test('say what to do where memory is short', () => {
    const error = duckdbError(
      { doing: 'writing' },
      new Error('Out of Memory Error: could not allocate "zoe"'),
    );
    expect(error.message).toContain('Give the plane more memory');
    expect(error.message).not.toContain('zoe');
  });

  test('name the file whose values are not what the table says', async () => {
    const raw = [field(1, 'name', 'binary')];
    const { table, files } = await lab.write(raw, [[{ name: new Uint8Array([0x7a, 0x6f, 0xff]) }]]);
    const schema = { ...table.schema, fields: [field(1, 'name', 'string')] };
    const error = await failure(drain(lab.plane.read({ ...table, schema }, files, {})));
    expect(error).toMatchObject({ code: 'plane/file-damaged', data: { file: files[0]!.file.location } });
  });
});

describe('types that a file stores otherwise', () => {
  test.each([
    ['long', 'int', 1n],
    ['double', 'float', 1],
    ['timestamp_ns', 'timestamp', 1n],
    ['decimal(9, 3)', 'decimal(9, 2)', 1n],
    ['string', 'long', '3590'],
    ['long', 'string', 1n],
    ['int', 'double', 1],
  ])('%s is not read as %s, which would lose something or guess', async (stored, wanted, value) => {
    const { table, files } = await lab.write([field(1, 'v', stored)], [[{ v: value }]]);
    const changed = { ...table, schema: { ...table.schema, fields: [field(1, 'v', wanted)] } };
    const error = await failure(drain(lab.plane.read(changed, files, {})));
    expect(error).toMatchObject({ kind: 'refused', code: 'plane/file-schema', data: { column: 'v' } });
  });
});

describe('several things at once', () => {
  test('do not disturb one another', async () => {
    const { table, files, target } = await lab.write(PEOPLE, [people(0, 3000), people(3000, 6000)]);
    const deletions = Array.from({ length: 8 }, (_, index) =>
      lab.plane.change(table, files, { delete: equals('id', long(index * 700)) }, target),
    );
    const counts = Array.from({ length: 8 }, () => lab.plane.count(table, files));
    for (const { rowsDeleted } of await Promise.all(deletions)) expect(rowsDeleted).toBe(1);
    expect(new Set(await Promise.all(counts))).toEqual(new Set([6000]));
  });

  test('a read that is left early lets go of everything', async () => {
    const { table, files } = await lab.write(PEOPLE, [people(0, 9000)]);
    for (let round = 0; round < 20; round++) {
      for await (const batch of lab.plane.read(table, files, {})) {
        expect(batch.numRows).toBeGreaterThan(0);
        break;
      }
    }
    expect(await lab.plane.count(table, files)).toBe(9000);
  });
});

test('rows of another type are told the class of Arrow that fits', async () => {
  const { target } = await lab.place();
  const rows = tableFromArrays({ seen_on: [new Date(0)] });
  const error = await failure(lab.plane.write(tableOf([field(1, 'seen_on', 'date')]), rows, target));
  expect(error).toMatchObject({
    code: 'plane/type',
    message: expect.stringContaining('is date, which is DateDay in Arrow, and the rows give Timestamp'),
  });
});
