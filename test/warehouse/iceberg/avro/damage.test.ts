import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AvroRecord, readAvro, writeAvro } from '../../../../src/warehouse/iceberg/avro/index.ts';
import { zstdBound } from '../../../../src/warehouse/iceberg/avro/zstd-bound.ts';
import { container, snappyBlock, zstdBlock } from './containers.ts';
import { NO_PATH, named, record, SCHEMA, SYNC } from './records.ts';

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
