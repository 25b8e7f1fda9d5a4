import avsc from 'avsc';
import fc from 'fast-check';
import type { AvroRecord, AvroSchema } from '../../../../src/warehouse/iceberg/avro/index.ts';

export const SCHEMA = {
  type: 'record',
  name: 'entry',
  fields: [
    { name: 'id', type: 'long', 'field-id': 1 },
    { name: 'count', type: ['null', 'int'], default: null, 'field-id': 2 },
    { name: 'path', type: 'string', 'field-id': 3 },
    { name: 'live', type: 'boolean', 'field-id': 4 },
    { name: 'ratio', type: 'double', 'field-id': 5 },
    { name: 'uuid', type: { type: 'fixed', name: 'uuid_5', size: 16, logicalType: 'uuid' }, 'field-id': 6 },
    {
      name: 'bounds',
      type: [
        'null',
        {
          type: 'array',
          logicalType: 'map',
          items: {
            type: 'record',
            name: 'k7_v8',
            fields: [
              { name: 'key', type: 'int', 'field-id': 7 },
              { name: 'value', type: 'bytes', 'field-id': 8 },
            ],
          },
        },
      ],
      default: null,
      'field-id': 9,
    },
  ],
} as const satisfies AvroSchema;

/** Passes over every record, from its path on. */
export const NO_PATH = { key: '3', is: (): boolean => true };
export const SYNC = Uint8Array.from({ length: 16 }, (_, index) => index * 7);

/** 64-bit integers as bigint in the oracle. */
export const long = avsc.types.LongType.__with({
  fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(value);
    return buffer;
  },
  fromJSON: BigInt,
  toJSON: String,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0),
});

/** Our record in the names that the oracle uses. */
export function named(record: AvroRecord): Record<string, unknown> {
  const bounds = record[9] as readonly AvroRecord[] | null;
  return {
    id: record[1],
    count: record[2],
    path: record[3],
    live: record[4],
    ratio: record[5],
    uuid: Buffer.from(record[6] as Uint8Array),
    bounds: bounds?.map((bound) => ({ key: bound[7], value: Buffer.from(bound[8] as Uint8Array) })) ?? null,
  };
}

export async function byOracle(file: Uint8Array): Promise<{ records: unknown[]; schema: unknown }> {
  const decoder = new avsc.streams.BlockDecoder({
    parseHook: (schema) => avsc.Type.forSchema(schema, { registry: { long } }),
  });
  const records: unknown[] = [];
  let schema: unknown;
  decoder.on('metadata', (_type, _codec, header) => {
    schema = JSON.parse(String(header.meta['avro.schema']));
  });
  decoder.on('data', (record) => records.push(record));
  const ended = new Promise((resolve, reject) => decoder.on('end', resolve).on('error', reject));
  decoder.end(file);
  await ended;
  return { records, schema };
}

export const record = fc.record({
  1: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  2: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  3: fc.string({ unit: 'grapheme', maxLength: 300 }),
  4: fc.boolean(),
  5: fc.double({ noNaN: true }),
  6: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  9: fc.option(fc.array(fc.record({ 7: fc.integer({ min: 0, max: 2 ** 31 - 1 }), 8: fc.uint8Array() }))),
}) as unknown as fc.Arbitrary<AvroRecord>;
