import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMetadata, writeMetadata } from '../../../src/warehouse/iceberg/metadata/metadata.ts';
import {
  applyUpdates,
  checkRequirements,
  forgottenFiles,
} from '../../../src/warehouse/iceberg/metadata/updates.ts';
import { sharedPath, sharedReason } from '../../support/shared.ts';

const ID = '3055729675574597004';
const PARENT = '3051729675574597004';

/** A table as the specification's own test of Java has it, with fields that nobody knows at three levels. */
const TABLE = `{
  "format-version": 2, "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1", "location": "/lake/t",
  "last-sequence-number": 34, "last-updated-ms": 1602638573590, "last-column-id": 3, "current-schema-id": 1,
  "schemas": [
    {"type": "struct", "schema-id": 0, "fields": [{"id": 1, "name": "x", "required": true, "type": "long"}]},
    {"type": "struct", "schema-id": 1, "identifier-field-ids": [1], "fields": [
      {"id": 1, "name": "x", "required": true, "type": "long", "x-own": {"a": 12345678901234567890}},
      {"id": 2, "name": "y", "required": false, "type": {"type": "list", "element-id": 4, "element": "string", "element-required": false}, "doc": "comment"},
      {"id": 3, "name": "z", "required": false, "type": {"type": "map", "key-id": 5, "key": "string", "value-id": 6, "value": {"type": "struct", "fields": [{"id": 7, "name": "a.b", "required": false, "type": "decimal(9, 2)"}]}, "value-required": false}}
    ]}],
  "default-spec-id": 0, "partition-specs": [{"spec-id": 0, "fields": [{"name": "x", "transform": "identity", "source-id": 1, "field-id": 1000}]}],
  "last-partition-id": 1000, "default-sort-order-id": 3,
  "sort-orders": [{"order-id": 3, "fields": [{"transform": "identity", "source-id": 1, "direction": "asc", "null-order": "nulls-first"}]}],
  "properties": {"read.split.target.size": "134217728", "write.metadata.previous-versions-max": "2"},
  "current-snapshot-id": ${ID},
  "snapshots": [
    {"snapshot-id": ${PARENT}, "timestamp-ms": 1515100955770, "sequence-number": 0, "summary": {"operation": "append"}, "manifest-list": "/lake/t/metadata/1.avro", "x-own": true},
    {"snapshot-id": ${ID}, "parent-snapshot-id": ${PARENT}, "timestamp-ms": 1555100955770, "sequence-number": 1, "summary": {"operation": "append", "total-records": "7"}, "manifest-list": "/lake/t/metadata/2.avro", "schema-id": 1}],
  "snapshot-log": [{"snapshot-id": ${PARENT}, "timestamp-ms": 1515100955770}, {"snapshot-id": ${ID}, "timestamp-ms": 1555100955770}],
  "metadata-log": [{"metadata-file": "/lake/t/metadata/v1.metadata.json", "timestamp-ms": 1515100955770}, {"metadata-file": "/lake/t/metadata/v2.metadata.json", "timestamp-ms": 1515100955771}],
  "statistics": [{"snapshot-id": ${ID}, "statistics-path": "/lake/t/metadata/s.puffin", "file-size-in-bytes": 1, "file-footer-size-in-bytes": 1, "blob-metadata": []}],
  "x-own": {"deep": [9007199254740993]}
}`;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (written: Uint8Array): string => new TextDecoder().decode(written);
const read = (json: string) => readMetadata('/lake/t/metadata/v3.metadata.json', bytes(json));
const next = { previousFile: '/lake/t/metadata/v3.metadata.json', now: 1700000000000 };

describe('reading', () => {
  test('keeps 64-bit ids, names with dots, and everything nobody knows', () => {
    const metadata = read(TABLE);
    expect(metadata.currentSnapshotId).toBe(BigInt(ID));
    expect(metadata.snapshots.map(({ parentId }) => parentId)).toEqual([null, BigInt(PARENT)]);
    expect(metadata.schema.id).toBe(1);
    expect(metadata.refs).toEqual(new Map([['main', { type: 'branch', snapshotId: BigInt(ID) }]]));
    expect(metadata.defaultSortFieldIds).toEqual([1]);
    const blank = (json: string): string => json.replace(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/g, '');
    expect(text(writeMetadata(metadata))).toBe(blank(TABLE));
  });

  test('unpacks gzip whatever the name says', () => {
    expect(readMetadata('/lake/v1.metadata.json', gzipSync(TABLE)).uuid).toBe(read(TABLE).uuid);
  });

  test('takes structs of fifty levels, and tells what is deeper than any engine writes', () => {
    const inside = (levels: number): string => {
      const type = levels === 0 ? '"long"' : `{"type": "struct", "fields": [${inside(levels - 1)}]}`;
      return `{"id": ${100 + levels}, "name": "s${levels}", "required": false, "type": ${type}}`;
    };
    const nested = (levels: number): string =>
      TABLE.replace(/\{"id": 2, "name": "y".*/, `${inside(levels)},`);
    expect(read(nested(50)).schema.fields[1]!.name).toBe('s50');
    expect(() => read(nested(5000))).toThrow(expect.objectContaining({ code: 'iceberg/damaged-metadata' }));
  });

  test('takes -1 and null as no snapshot', () => {
    const empty = TABLE.replace(`"current-snapshot-id": ${ID}`, '"current-snapshot-id": -1');
    expect(read(empty).currentSnapshotId).toBeNull();
    expect(read(empty.replace('-1', 'null')).currentSnapshotId).toBeNull();
  });

  test('version 1: one schema, a bare spec, no uuid, manifests without a list', () => {
    const metadata =
      read(`{"format-version": 1, "location": "/lake/t", "last-updated-ms": 1, "last-column-id": 1,
      "schema": {"type": "struct", "fields": [{"id": 1, "name": "x", "required": false, "type": "int"}]},
      "partition-spec": [{"name": "a", "transform": "day", "source-id": 1}, {"name": "b", "transform": "void", "source-id": 1}],
      "current-snapshot-id": 5, "snapshots": [{"snapshot-id": 5, "timestamp-ms": 1, "manifests": ["/lake/t/m.avro"]}]}`);
    expect(metadata.specs[0]?.fields.map(({ fieldId }) => fieldId)).toEqual([1000, 1001]);
    expect(metadata.snapshots[0]).toMatchObject({ manifests: ['/lake/t/m.avro'], manifestList: null });
  });
});

describe('bad metadata names the file and what is wrong', () => {
  test('cut short at any byte', () => {
    fc.assert(
      fc.property(fc.nat(TABLE.length - 2), fc.boolean(), (length, packed) => {
        const whole = packed ? gzipSync(TABLE) : bytes(TABLE);
        const cut = whole.subarray(0, Math.floor((length / TABLE.length) * whole.length));
        expect(() => readMetadata('/lake/t/v1.metadata.json', cut)).toThrow(
          expect.objectContaining({
            kind: 'failed',
            code: 'iceberg/damaged-metadata',
            data: { file: '/lake/t/v1.metadata.json' },
          }),
        );
      }),
      { seed: 20261001, numRuns: 300 },
    );
  });

  test('with any field replaced by something else, never anything but a typed error', () => {
    const document = JSON.parse(TABLE) as Record<string, unknown>;
    const other = fc.constantFrom<unknown>(null, 'text', -5, 1.5, [], [1], {}, true, ['a'], [{}]);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(document)), other, (key, value) => {
        try {
          read(
            JSON.stringify({
              ...document,
              [key]: value,
              'current-snapshot-id': null,
              snapshots: [],
              ...(key === 'snapshots' ? { snapshots: value } : {}),
            }),
          );
        } catch (cause) {
          expect(cause).toMatchObject({ code: expect.stringMatching(/^iceberg\//) });
        }
      }),
      { seed: 20261001, numRuns: 500 },
    );
  });

  test.each([
    ['format version 4', '"format-version": 2', '"format-version": 4', 'refused', 'iceberg/format-version'],
    [
      'encryption keys',
      '"x-own": {"deep"',
      '"encryption-keys": [{"key-id": "k"}], "y": {"deep"',
      'refused',
      'iceberg/encrypted',
    ],
    ['a missing uuid', '"table-uuid"', '"no-uuid"', 'failed', 'iceberg/damaged-metadata'],
    [
      'no such schema',
      '"current-schema-id": 1',
      '"current-schema-id": 9',
      'failed',
      'iceberg/damaged-metadata',
    ],
    ['no such spec', '"default-spec-id": 0', '"default-spec-id": 9', 'failed', 'iceberg/damaged-metadata'],
    [
      'no such snapshot',
      `"current-snapshot-id": ${ID}`,
      '"current-snapshot-id": 9',
      'failed',
      'iceberg/damaged-metadata',
    ],
    [
      'an id beyond 64 bits',
      `"snapshot-id": ${PARENT}, "timestamp`,
      '"snapshot-id": 9876543210123456789, "timestamp',
      'failed',
      'iceberg/damaged-metadata',
    ],
    ['no operation', '{"operation": "append"}', '{}', 'failed', 'iceberg/damaged-metadata'],
  ])('%s', (_, from, to, kind, code) => {
    expect(TABLE).toContain(from);
    expect(() => read(TABLE.replace(from, to))).toThrow(expect.objectContaining({ kind, code }));
  });

  const folder = sharedPath('samples', 'iceberg', 'fixtures-iceberg-java-resources');
  const why = folder === null ? ` (${sharedReason('samples')})` : '';
  test.skipIf(folder === null)(`the files of Java's own tests come out as they do there${why}`, () => {
    const outcome = (name: string): string => {
      try {
        const metadata = readMetadata(name, readFileSync(`${folder}/${name}`));
        return `version ${metadata.formatVersion}`;
      } catch (cause) {
        return String((cause as { code?: string }).code);
      }
    };
    // Java's TestTableMetadata expects exactly these outcomes of its files.
    expect(outcome('TableMetadataV1Valid.json')).toBe('version 1');
    expect(outcome('TableMetadataV2Valid.json')).toBe('version 2');
    expect(outcome('TableMetadataV2ValidMinimal.json')).toBe('version 2');
    expect(outcome('TableMetadataV2CurrentSchemaNotFound.json')).toBe('iceberg/damaged-metadata');
    expect(outcome('TableMetadataV2MissingSchemas.json')).toBe('iceberg/damaged-metadata');
    expect(outcome('TableMetadataV2MissingPartitionSpecs.json')).toBe('iceberg/damaged-metadata');
    expect(outcome('TableMetadataV2MissingLastPartitionId.json')).toBe('iceberg/damaged-metadata');
    expect(outcome('TableMetadataV2MissingSortOrder.json')).toBe('iceberg/damaged-metadata');
    expect(outcome('TableMetadataV3ValidMinimal.json')).toBe('version 3');
    expect(outcome('TableMetadataUnsupportedVersion.json')).toBe('iceberg/format-version');
  });
});

describe('updates', () => {
  const snapshot = {
    'snapshot-id': 2n ** 62n + 1n,
    'parent-snapshot-id': BigInt(ID),
    'sequence-number': 35n,
    'timestamp-ms': 1700000000000,
    summary: { operation: 'append' },
    'manifest-list': '/lake/t/metadata/3.avro',
    'schema-id': 1,
  };

  test('a commit keeps what it does not know, logs the old file, and cuts the log to the length of the property', () => {
    const after = applyUpdates(
      read(TABLE),
      [
        { action: 'add-snapshot', snapshot },
        {
          action: 'set-snapshot-ref',
          'ref-name': 'main',
          type: 'branch',
          'snapshot-id': snapshot['snapshot-id'],
        },
      ],
      next,
    );
    const again = read(text(writeMetadata(after)));
    expect(again.currentSnapshotId).toBe(2n ** 62n + 1n);
    expect(again.lastSequenceNumber).toBe(35n);
    expect(text(writeMetadata(again))).toContain('"x-own":{"deep":[9007199254740993]}');
    expect(text(writeMetadata(again))).toContain('"x-own":{"a":12345678901234567890}');
    expect(again.metadataLog).toEqual([
      { file: '/lake/t/metadata/v2.metadata.json', timestamp: 1515100955771 },
      { file: '/lake/t/metadata/v3.metadata.json', timestamp: 1602638573590 },
    ]);
    expect(again.lastUpdated).toBe(next.now);
    expect(forgottenFiles(read(TABLE), again)).toEqual([]);
  });

  test('files that fall off the log go only where the table says so', () => {
    const wanted = {
      action: 'set-properties',
      updates: { 'write.metadata.delete-after-commit.enabled': 'true' },
    } as const;
    const after = applyUpdates(read(TABLE), [wanted], next);
    expect(forgottenFiles(read(TABLE), after)).toEqual(['/lake/t/metadata/v1.metadata.json']);
  });

  test('a clock that went back does not take the table back', () => {
    expect(applyUpdates(read(TABLE), [], { ...next, now: 5 }).lastUpdated).toBe(1602638573590);
  });

  test('removed snapshots take their statistics along, and the log before them', () => {
    const after = applyUpdates(
      read(TABLE),
      [
        { action: 'add-snapshot', snapshot },
        {
          action: 'set-snapshot-ref',
          'ref-name': 'main',
          type: 'branch',
          'snapshot-id': snapshot['snapshot-id'],
        },
        { action: 'remove-snapshots', 'snapshot-ids': [BigInt(ID)] },
      ],
      next,
    );
    expect(after.snapshots.map(({ id }) => id)).toEqual([BigInt(PARENT), 2n ** 62n + 1n]);
    expect(after.statistics).toEqual([]);
    expect(after.json['snapshot-log']).toEqual([{ 'timestamp-ms': next.now, 'snapshot-id': 2n ** 62n + 1n }]);
  });

  test('requirements are checked on the state that is there', () => {
    const check = (uuid: string, id: bigint | null) => () =>
      checkRequirements(read(TABLE), [
        { type: 'assert-table-uuid', uuid },
        { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': id },
      ]);
    const { uuid } = read(TABLE);
    expect(check(uuid, BigInt(ID))).not.toThrow();
    const conflict = expect.objectContaining({ kind: 'failed', code: 'catalog/conflict' });
    expect(check(uuid, BigInt(ID) + 1n)).toThrow(conflict);
    expect(check(uuid, null)).toThrow(conflict);
    expect(check('another', BigInt(ID))).toThrow(conflict);
  });
});
