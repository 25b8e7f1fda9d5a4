import { describe, expect, test } from 'vitest';
import { bytes, field, list, utf8 } from './build.ts';
import { failure, type Laboratory } from './laboratory.ts';
import { ADDRESS } from './people.ts';
import type { Row } from './rows.ts';

function hex(bounds: ReadonlyMap<number, Uint8Array>): Record<number, string> {
  return Object.fromEntries([...bounds].map(([id, bound]) => [id, Buffer.from(bound).toString('hex')]));
}

function counts(of: ReadonlyMap<number, bigint>): Record<number, number> {
  return Object.fromEntries([...of].map(([id, count]) => [id, Number(count)]));
}

/** What a manifest may say of a file, by the table's metrics modes. */
export function metrics(lab: Laboratory): void {
  describe('metrics', () => {
    const fields = [
      field(1, 'id', 'long'),
      field(2, 'name', 'string'),
      ADDRESS,
      field(7, 'tags', list(8, 'string')),
      field(9, 'score', 'double'),
      field(10, 'raw', 'binary'),
    ];
    const rows: readonly Row[] = [
      {
        id: 5n,
        name: 'zoe.zimmermann-mueller',
        address: { city: 'Ulm', zip: 7 },
        tags: ['x'],
        score: Number.NaN,
        raw: bytes('ff'.repeat(20)),
      },
      { id: -3n, name: 'ada', address: null, tags: null, score: 2.5, raw: bytes('00') },
      { id: null, name: null, address: { city: null, zip: 9 }, tags: [], score: -1, raw: null },
    ];
    const metricsOf = async (properties: Record<string, string>, sortFieldIds: number[] = []) => {
      const { files } = await lab.write(fields, [rows], { properties, sortFieldIds });
      return files[0]!.file.metrics;
    };

    test('counts values, nulls and NaNs, nested ones too, and none under lists', async () => {
      const metrics = await metricsOf({});
      expect(counts(metrics.valueCounts)).toEqual({ 1: 3, 2: 3, 5: 3, 6: 3, 9: 3, 10: 3 });
      expect(counts(metrics.nullCounts)).toEqual({ 1: 1, 2: 1, 5: 2, 6: 1, 9: 0, 10: 1 });
      expect(counts(metrics.nanCounts)).toEqual({ 9: 1 });
    });

    test('cuts bounds of text by code point and of bytes by byte, the upper one upwards, to 16 unless told', async () => {
      const { lowerBounds, upperBounds } = await metricsOf({});
      expect(hex(lowerBounds)).toEqual({
        1: 'fdffffffffffffff',
        2: utf8('ada'),
        5: utf8('Ulm'),
        6: '07000000',
        9: '000000000000f0bf',
        10: '00',
      });
      // No 16 bytes are greater than twenty times 0xff, so there is no upper bound for field 10.
      expect(hex(upperBounds)).toEqual({
        1: '0500000000000000',
        2: utf8('zoe.zimmermann-n'),
        5: utf8('Ulm'),
        6: '09000000',
        9: '0000000000000440',
      });
    });

    test('says nothing of a column whose mode is none, not even its size', async () => {
      const metrics = await metricsOf({
        'write.metadata.metrics.column.name': 'none',
        'write.metadata.metrics.column.address.city': 'none',
      });
      for (const map of Object.values(metrics)) for (const id of [2, 5]) expect(map.has(id)).toBe(false);
      expect(metrics.columnSizes.has(1)).toBe(true);
    });

    test('gives counts and no bounds where the mode is counts', async () => {
      const metrics = await metricsOf({ 'write.metadata.metrics.default': 'counts' });
      expect(metrics.lowerBounds.size + metrics.upperBounds.size).toBe(0);
      expect(metrics.nullCounts.get(2)).toBe(1n);
    });

    test('gives whole values where the mode is full, however long', async () => {
      const long = `${'é'.repeat(700)}z`;
      const one = [field(1, 'name', 'string')];
      const properties = { 'write.metadata.metrics.column.name': 'full' };
      const { files } = await lab.write(one, [[{ name: long }]], { properties });
      expect(hex(files[0]!.file.metrics.lowerBounds)).toEqual({ 1: utf8(long) });
      expect(hex(files[0]!.file.metrics.upperBounds)).toEqual({ 1: utf8(long) });
    });

    test('decides sort columns as Iceberg does: truncate(16) over a default of none, their own property over that', async () => {
      const properties = {
        'write.metadata.metrics.default': 'none',
        'write.metadata.metrics.column.name': 'none',
      };
      const metrics = await metricsOf(properties, [1, 2]);
      expect([...metrics.lowerBounds.keys()]).toEqual([1]);
      expect([...metrics.columnSizes.keys()]).toEqual([1]);
    });

    test('has metrics for the first columns only where no default is set and there are many', async () => {
      const metrics = await metricsOf({ 'write.metadata.metrics.max-inferred-column-defaults': '2' });
      expect([...metrics.valueCounts.keys()]).toEqual([1, 2]);
    });

    test('refuses a mode that nobody knows', async () => {
      const error = await failure(metricsOf({ 'write.metadata.metrics.column.name': 'nothing' }));
      expect(error).toMatchObject({ kind: 'refused', code: 'iceberg/metrics-mode' });
    });
  });
}
