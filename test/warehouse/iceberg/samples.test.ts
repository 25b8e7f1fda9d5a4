import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { DataPlane } from '../../../src/warehouse/data-plane.ts';
import { readMetadata } from '../../../src/warehouse/iceberg/metadata/metadata.ts';
import type { TableDescription } from '../../../src/warehouse/warehouse.ts';
import { openSample, sampleFolders } from '../../support/samples.ts';
import { sharedPath, sharedReason } from '../../support/shared.ts';

const root = sharedPath('samples', 'iceberg');

/** Tables that cannot be described, and why: everything else must be. */
const REFUSED: Readonly<Record<string, string>> = {
  // A snapshot id beyond 64 bits.
  'duckdb-equality_delete_cross_partition/warehouse/ns/t': 'iceberg/damaged-metadata',
};

/**
 * Without a hint the highest leading number is the newest metadata, here `00001-…`; the index took `vfinal`, which its writer
 * put beside it by hand.
 */
const OTHER_METADATA: Readonly<Record<string, Partial<Indexed>>> = {
  'duckdb-equality_delete_extra_column/warehouse/ns/t': { snapshots: 1, deleteFiles: 0 },
};

/** One line of INDEX.tsv, which was made by another program over the same files. */
interface Indexed {
  readonly table: string;
  readonly version: number;
  readonly snapshots: number;
  readonly dataFiles: number;
  readonly deleteFiles: number;
  readonly formats: readonly string[];
}

function index(): ReadonlyMap<string, Indexed> {
  const [header, ...lines] = readFileSync(join(root!, 'INDEX.tsv'), 'utf8').trimEnd().split('\n');
  const columns = header!.split('\t');
  return new Map(
    lines.map((line) => {
      const cells = new Map(line.split('\t').map((cell, at) => [columns[at]!, cell]));
      const number = (column: string): number => Number(cells.get(column));
      return [
        cells.get('table')!,
        {
          table: cells.get('table')!,
          version: number('v'),
          snapshots: number('snaps'),
          dataFiles: number('data'),
          deleteFiles: number('pos') + number('eq') + number('dv'),
          formats: (cells.get('fmts') ?? '').toLowerCase().split(',').filter(Boolean),
        },
      ];
    }),
  );
}

/** A plane that is asked only what it could do. */
const plane = {
  capabilities: { types: [], formats: ['parquet'], deletes: [] },
  close: async () => {},
} as unknown as DataPlane;

async function describeSample(folder: string): Promise<TableDescription> {
  const { warehouse, table } = await openSample(root!, folder, { plane });
  return warehouse.describe(table);
}

const why = root === null ? ` (${sharedReason('samples', 'iceberg')})` : '';

describe.skipIf(root === null)(`tables of other writers${why}`, () => {
  const indexed = root === null ? new Map<string, Indexed>() : index();
  const seen: string[] = [];

  for (const folder of root === null ? [] : sampleFolders(root)) {
    test(folder, async () => {
      seen.push(folder);
      const refusal = REFUSED[folder];
      if (refusal !== undefined) {
        await expect(describeSample(folder)).rejects.toMatchObject({ code: refusal });
        return;
      }
      const found = await describeSample(folder);
      expect([...indexed.keys()]).toContain(folder);
      const expected = { ...indexed.get(folder)!, ...OTHER_METADATA[folder] };
      expect({
        version: found.formatVersion,
        snapshots: found.snapshots.length,
        dataFiles: found.dataFiles,
        deleteFiles: found.deleteFiles,
      }).toEqual({
        version: expected.version,
        snapshots: expected.snapshots,
        dataFiles: expected.dataFiles,
        deleteFiles: expected.deleteFiles,
      });
      const codes = found.refusals.map(({ code }) => code);
      expect(codes).not.toContain('format-version');
      expect(codes.some((code) => /deletes|vectors/.test(code))).toBe(expected.deleteFiles > 0);
      const formats = expected.formats.filter((format) => format !== 'parquet' && format !== 'puffin');
      expect(codes.includes('file-format')).toBe(formats.length > 0);
    });
  }

  test('a file that is no metadata is an error that names it', () => {
    // Invalid on purpose, as its SOURCES.md says.
    const file = join(root!, 'duckdb-bad_data/bad_iceberg_metadata.json');
    expect(() => readMetadata(file, readFileSync(file))).toThrow(
      expect.objectContaining({ code: 'iceberg/damaged-metadata', data: { file } }),
    );
  });

  afterAll(() => {
    expect(seen.filter((folder) => folder in REFUSED).sort()).toEqual(Object.keys(REFUSED).sort());
    expect(seen.length).toBeGreaterThan(40);
    expect(existsSync(join(root!, 'INDEX.tsv'))).toBe(true);
  });
});
