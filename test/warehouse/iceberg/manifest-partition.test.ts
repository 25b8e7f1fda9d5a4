import { expect, test } from 'vitest';
import type { DataFile } from '../../../src/warehouse/data-file.ts';
import { readManifest } from '../../../src/warehouse/iceberg/manifest/manifest.ts';
import { writeManifest } from '../../../src/warehouse/iceberg/manifest/manifest-writer.ts';
import type { PartitionField } from '../../../src/warehouse/partition-spec.ts';
import { field, NO_METRICS } from '../../contracts/data-plane/build.ts';

const SCHEMA = { id: 0, identifierFieldIds: [], fields: [field(1, 'id', 'long')] };
const ID: PartitionField = { fieldId: 1000, sourceIds: [1], name: 'id', transform: 'identity' };

/** The partition of a file in a manifest written by one spec, read by another. */
function partitionBy(fields: readonly PartitionField[]): DataFile['partition'] {
  const common = { schemas: [SCHEMA], snapshotId: 1n, sequenceNumber: 1n } as const;
  const file: DataFile = {
    content: 'data',
    location: '/lake/t/data/a.parquet',
    format: 'parquet',
    specId: 0,
    partition: [{ type: 'long', value: '7' }],
    recordCount: 1n,
    fileSize: 1n,
    metrics: NO_METRICS,
  };
  const { bytes, entry } = writeManifest({
    ...common,
    path: '/lake/t/metadata/m0.avro',
    content: 'data',
    spec: { id: 0, fields: [ID] },
    entries: [{ status: 'added', snapshotId: 1n, file }],
    formatVersion: 2,
    sync: new Uint8Array(16),
  });
  const manifest = { ...entry, sequenceNumber: 1n, addedSnapshotId: 1n };
  return readManifest(bytes, { manifest, spec: { id: 0, fields }, schemas: [SCHEMA] })[0]!.file.partition;
}

test('a partition value that a manifest leaves out is not taken for null, by which rows would be passed over', () => {
  expect(partitionBy([ID])).toEqual([{ type: 'long', value: '7' }]);
  const other = { ...ID, fieldId: 1001 };
  expect(() => partitionBy([ID, other])).toThrow(
    expect.objectContaining({ code: 'iceberg/damaged-metadata', message: expect.stringContaining('1001') }),
  );
});

test('the values of a transform that nobody knows are kept, so that partitions are told apart', () => {
  const unknown = { ...ID, transform: 'zorder' };
  expect(partitionBy([unknown])).toEqual([{ type: 'long', value: '7' }]);
  expect(partitionBy([{ ...ID, sourceIds: [99] }])).toEqual([{ type: 'long', value: '7' }]);
});

test('a void field, and one whose transform or column nobody knows, may be left out', () => {
  const other = { ...ID, fieldId: 1001 };
  for (const left of [{ transform: 'void' }, { transform: 'zorder' }, { sourceIds: [99] }]) {
    expect(partitionBy([ID, { ...other, ...left }])).toEqual([{ type: 'long', value: '7' }, null]);
  }
});
