import { deflateRawSync } from 'node:zlib';
import avsc from 'avsc';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AvroRecord,
  readAvro,
  recordEntries,
  writeAvro,
} from '../../../../src/warehouse/iceberg/avro/index.ts';
import { container, snappyBlock, zstdBlock } from './containers.ts';
import { byOracle, long, named, record, SCHEMA, SYNC } from './records.ts';

describe('what is written', () => {
  test('another reader reads the same, 64-bit values included', async () => {
    const codec = fc.constantFrom('null' as const, 'deflate' as const);
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 40 }), codec, async (records, used) => {
        const file = writeAvro({
          schema: SCHEMA,
          metadata: { a: 'ö' },
          records: records.map(named) as AvroRecord[],
          codec: used,
          sync: SYNC,
        });
        const oracle = await byOracle(file);
        expect(oracle.records.map((each) => ({ ...(each as object) }))).toEqual(records.map(named));
        expect(oracle.schema).toEqual(SCHEMA);
      }),
      { seed: 20261001, numRuns: 60 },
    );
  });

  test('spans blocks', async () => {
    const records = Array.from({ length: 3000 }, (_, id) => ({
      1: BigInt(id),
      2: null,
      3: 'x'.repeat(100),
      4: true,
      5: id / 3,
      6: new Uint8Array(16),
      9: null,
    }));
    const file = writeAvro({
      schema: SCHEMA,
      metadata: {},
      records: records.map(named) as AvroRecord[],
      codec: 'deflate',
      sync: SYNC,
    });
    expect((await byOracle(file)).records).toHaveLength(3000);
    expect([...readAvro('f', file).records].map((each) => each[1])).toEqual(records.map((each) => each[1]));
  });

  test('a value that does not fit is never written', () => {
    const write = (value: unknown) => () =>
      writeAvro({
        schema: { type: 'record', name: 'r', fields: [{ name: 'v', type: 'long', 'field-id': 1 }] },
        metadata: {},
        records: [{ v: value } as AvroRecord],
        codec: 'null',
        sync: SYNC,
      });
    expect(write(2n ** 63n)).toThrow(TypeError);
    expect(write(1)).toThrow(TypeError);
    expect(write(null)).toThrow(TypeError);
  });
});

describe('what another writer wrote', () => {
  test('is read the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), async (records) => {
        const type = avsc.Type.forSchema(SCHEMA as unknown as avsc.Schema, { registry: { long } });
        const encoder = new avsc.streams.BlockEncoder(type, { codec: 'deflate' });
        const chunks: Buffer[] = [];
        encoder.on('data', (chunk) => chunks.push(chunk));
        const ended = new Promise((resolve) => encoder.on('end', resolve));
        for (const each of records) encoder.write(named(each));
        encoder.end();
        await ended;
        // The oracle drops unknown attributes of the schema, so the fields are known by their names.
        const read = [...readAvro('f', Buffer.concat(chunks)).records];
        const byName = read.map((each) => ({
          ...Object.fromEntries(recordEntries(each)),
          uuid: Buffer.from(each.uuid as Uint8Array),
          bounds:
            (each.bounds as readonly AvroRecord[] | null)?.map((bound) => ({
              key: bound.key,
              value: Buffer.from(bound.value as Uint8Array),
            })) ?? null,
        }));
        expect(byName).toEqual(records.map(named));
      }),
      { seed: 20261001, numRuns: 40 },
    );
  });

  test.each([
    ['snappy', snappyBlock],
    ['zstandard', zstdBlock],
    ['deflate', (plain: Uint8Array) => deflateRawSync(plain)],
  ])('in %s is read', (codec, pack) => {
    const plain = Uint8Array.of(6, ...Buffer.from('abc'));
    const records = [...readAvro('f', container(codec, 1, pack(plain))).records];
    expect(records.map(recordEntries)).toEqual([[['v', 'abc']]]);
    expect(records[0]?.v).toBe('abc');
  });
});
