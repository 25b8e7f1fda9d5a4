import avsc from 'avsc';
import { expect, test } from 'vitest';
import { writeManifest } from '../../../src/warehouse/iceberg/manifest/manifest-writer.ts';
import { field } from '../../contracts/data-plane/build.ts';

test('a manifest keeps the default of a long column to its last digit', async () => {
  const { bytes } = writeManifest({
    path: '/lake/t/metadata/m0.avro',
    content: 'data',
    spec: { id: 0, fields: [] },
    schemas: [
      {
        id: 1,
        identifierFieldIds: [],
        fields: [{ ...field(1, 'id', 'long'), initialDefault: 9_007_199_254_740_993n, writeDefault: -1n }],
      },
    ],
    entries: [],
    snapshotId: 1n,
    sequenceNumber: 1n,
    formatVersion: 3,
    sync: new Uint8Array(16),
  });
  const header = await new Promise<Readonly<Record<string, Uint8Array>>>((resolve) => {
    const decoder = new avsc.streams.BlockDecoder();
    decoder.on('metadata', (_type, _codec, { meta }) => resolve(meta));
    decoder.on('error', expect.unreachable).end(bytes);
  });
  expect(new TextDecoder().decode(header.schema)).toContain('"initial-default":9007199254740993');
});
