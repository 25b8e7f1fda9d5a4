import { crc32, deflateRawSync } from 'node:zlib';
import avsc from 'avsc';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AvroRecord,
  type AvroSchema,
  readAvro,
  recordEntries,
  writeAvro,
} from '../../../src/warehouse/iceberg/avro/index.ts';
import { zstdBound } from '../../../src/warehouse/iceberg/avro/zstd-bound.ts';

const SCHEMA = {
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
const NO_PATH = { key: '3', is: (): boolean => true };
const SYNC = Uint8Array.from({ length: 16 }, (_, index) => index * 7);

/** 64-bit integers as bigint in the oracle. */
const long = avsc.types.LongType.__with({
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
function named(record: AvroRecord): Record<string, unknown> {
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

async function byOracle(file: Uint8Array): Promise<{ records: unknown[]; schema: unknown }> {
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

const record = fc.record({
  1: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  2: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  3: fc.string({ unit: 'grapheme', maxLength: 300 }),
  4: fc.boolean(),
  5: fc.double({ noNaN: true }),
  6: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  9: fc.option(fc.array(fc.record({ 7: fc.integer({ min: 0, max: 2 ** 31 - 1 }), 8: fc.uint8Array() }))),
}) as unknown as fc.Arbitrary<AvroRecord>;

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

describe('damaged and hostile files end in an error that names them', () => {
  const damaged = expect.objectContaining({
    kind: 'failed',
    code: 'iceberg/damaged-avro',
    data: { file: 'wh/m0.avro' },
  });
  const read = (file: Uint8Array) => () => [...readAvro('wh/m0.avro', file).records];

  test('what is passed over is not given, and what is given is the same', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), (records) => {
        const content = { schema: SCHEMA, metadata: {}, codec: 'null' as const, sync: SYNC };
        const file = writeAvro({ ...content, records: records.map(named) as AvroRecord[] });
        const only = [...readAvro('f', file, { only: new Set(['1', '3']) }).records];
        expect(only.map((each) => [each[1], each[2], each[3], each[9]])).toEqual(
          records.map((each) => [each[1], null, each[3], null]),
        );
        const even = { key: '1', is: (id: unknown) => (id as bigint) % 2n === 0n };
        const odd = [...readAvro('f', file, { unless: even }).records];
        const kept = records.filter((each) => !even.is(each[1]));
        expect(odd.map((each) => [each[1], each[3]])).toEqual(kept.map((each) => [each[1], each[3]]));
        const maps = [...readAvro('f', file, { numberedMaps: true }).records].map((each) => each[9]);
        const entries = records.map((each) => each[9] as readonly { 7: number; 8: Uint8Array }[] | null);
        expect(maps).toEqual(entries.map((each) => each && new Map(each.map((one) => [one[7], one[8]]))));
      }),
      { seed: 20261001, numRuns: 60 },
    );
  });

  test('cut short or flipped anywhere, in a seeded walk', () => {
    const records = Array.from({ length: 30 }, (_, id) => ({
      1: BigInt(id),
      2: id,
      3: `s3://lake/${id}`,
      4: true,
      5: 0.5,
      6: new Uint8Array(16),
      9: [{ 7: id, 8: Uint8Array.of(1, 2, 3) }],
    }));
    const file = writeAvro({
      schema: SCHEMA,
      metadata: {},
      records: records.map(named) as AvroRecord[],
      codec: 'null',
      sync: SYNC,
    });
    const whole = read(file)();
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const cut = outcome(read(file.subarray(0, at)));
        // A file that ends right after its header or a block is a shorter, valid one: lists count their entries.
        if (cut.code === undefined) expect(whole.slice(0, cut.records)).toHaveLength(cut.records);
        else expect(cut.code).toBe('iceberg/damaged-avro');
        const flipped = Uint8Array.from(file);
        flipped[at] = flipped[at]! ^ flip;
        for (const options of [{}, { numberedMaps: true }, { only: new Set(['3']) }, { unless: NO_PATH }])
          expect([undefined, 'iceberg/damaged-avro']).toContain(
            outcome(() => [...readAvro('f', flipped, options).records]).code,
          );
      }),
      { seed: 20261001, numRuns: 1000 },
    );
  });

  test.each([
    ['no Avro', Buffer.from('PAR1....')],
    ['nothing', Buffer.alloc(0)],
    ['a block of more bytes than there are', container('null', 1, Buffer.from([200, 1, 65]))],
    ['fewer records than claimed', container('null', 5, Buffer.from([2, 65]))],
    ['more records than claimed', container('null', 1, Buffer.from([2, 65, 2, 66]))],
    ['a negative length', container('null', 1, Buffer.from([1]))],
    ['a codec of no name', container('lzma', 1, Buffer.from([2, 65]))],
    ['text that is not UTF-8', container('null', 1, Buffer.from([4, 0xc3, 0x28]))],
    ['deflate that is none', container('deflate', 1, Buffer.from([255, 255, 255]))],
    [
      'snappy of a wrong check sum',
      container(
        'snappy',
        1,
        Buffer.concat([snappyBlock(Buffer.from([2, 65])).subarray(0, -1), Buffer.from([9])]),
      ),
    ],
    ['snappy that claims 4 GB', container('snappy', 1, Buffer.from([255, 255, 255, 255, 15, 0, 0, 0, 0, 0]))],
    [
      'zstd that claims 4 GB',
      container('zstandard', 1, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 255, 255, 255, 255, 1, 0, 0])),
    ],
    ['a deflate bomb', container('deflate', 1, deflateRawSync(Buffer.alloc(300 * 1024 * 1024)))],
  ])('%s', (_, file) => {
    expect(read(file)).toThrow(damaged);
  });

  test('an array of nothings that claims 2^60 items', () => {
    const schema = {
      type: 'record',
      name: 'r',
      fields: [{ name: 'v', type: { type: 'array', items: 'null' } }],
    };
    const count = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20]);
    expect(read(container('null', 1, count, schema))).toThrow(damaged);
  });

  test.each([
    ['that is no JSON', '{'],
    ['of an unknown type', '{"type":"record","name":"r","fields":[{"name":"a","type":"nothing"}]}'],
    ['nested without end', `${'{"type":"array","items":'.repeat(200)}"int"${'}'.repeat(200)}`],
    ['that is a number', '5'],
  ])('a schema %s', (_, schema) => {
    expect(read(container('null', 0, Buffer.alloc(0), schema))).toThrow(damaged);
  });
});

test('zstdBound counts what blocks can become, without unpacking them', () => {
  expect(zstdBound(zstdBlock(Buffer.from('abc')))).toBe(3);
  // One run-length block: 4 bytes that become 100,000.
  const run = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50, 0, 0, 0, 65]);
  run.writeUIntLE((100_000 << 3) | 3, 6, 3);
  expect(zstdBound(run)).toBe(100_000);
  expect(() => zstdBound(run.subarray(0, 7))).toThrow(RangeError);
});

interface Outcome {
  readonly records: number;
  readonly code?: string;
}

function outcome(read: () => readonly unknown[]): Outcome {
  try {
    return { records: read().length };
  } catch (cause) {
    return { records: 0, code: String((cause as { code?: unknown }).code) };
  }
}

/** A container of one block, written byte by byte. */
function container(codec: string, count: number, block: Uint8Array, schema: unknown = ONE_TEXT): Buffer {
  const string = (text: string): Buffer =>
    Buffer.concat([zigzag(Buffer.byteLength(text)), Buffer.from(text)]);
  return Buffer.concat([
    Buffer.from('Obj\x01'),
    zigzag(2),
    string('avro.schema'),
    string(typeof schema === 'string' ? schema : JSON.stringify(schema)),
    string('avro.codec'),
    string(codec),
    zigzag(0),
    SYNC,
    zigzag(count),
    zigzag(block.length),
    block,
    SYNC,
  ]);
}

const ONE_TEXT = { type: 'record', name: 'r', fields: [{ name: 'v', type: 'string' }] };

function zigzag(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value * 2;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** Snappy's simplest form: the length, one literal, and Avro's check sum. */
function snappyBlock(plain: Uint8Array): Buffer {
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(plain));
  return Buffer.concat([Buffer.from([plain.length, (plain.length - 1) << 2]), plain, check]);
}

/** Zstandard's simplest form: one frame of one raw block (RFC 8878). */
function zstdBlock(plain: Uint8Array): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((plain.length << 3) | 1, 0, 3);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, plain.length]), header, plain]);
}
