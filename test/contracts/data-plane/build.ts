import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DataFile } from '../../../src/warehouse/data-file.ts';
import type { PlaneFile } from '../../../src/warehouse/data-plane.ts';
import type { Field } from '../../../src/warehouse/schema.ts';

export function plain(file: DataFile): PlaneFile {
  return { file, deletes: [] };
}

/** What a file says that counts nothing and keeps no bounds. */
export const NO_METRICS: DataFile['metrics'] = {
  columnSizes: new Map(),
  valueCounts: new Map(),
  nullCounts: new Map(),
  nanCounts: new Map(),
  lowerBounds: new Map(),
  upperBounds: new Map(),
};

/** A file of `test/fixtures/data-files`, of which nothing is known but its rows. */
export function dataFixture(name: string, rows: bigint): PlaneFile {
  const location = fileURLToPath(new URL(`../../fixtures/data-files/${name}`, import.meta.url));
  return plain({
    content: 'data',
    location,
    format: 'parquet',
    specId: 0,
    partition: [],
    recordCount: rows,
    fileSize: BigInt(statSync(location).size),
    metrics: NO_METRICS,
  });
}

export function field(id: number, name: string, type: Field['type'], required = false): Field {
  return { id, name, type, required };
}

export function struct(...fields: Field[]): Field['type'] {
  return { type: 'struct', fields };
}

export function list(elementId: number, element: Field['type']): Field['type'] {
  return { type: 'list', elementId, elementRequired: false, element };
}

export const text = (value: string) => ({ type: 'text', value }) as const;
export const long = (value: number | bigint) => ({ type: 'long', value: String(value) }) as const;
export const bytes = (hexDigits: string): Uint8Array => new Uint8Array(Buffer.from(hexDigits, 'hex'));
export const utf8 = (value: string): string => Buffer.from(value).toString('hex');
