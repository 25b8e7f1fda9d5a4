import type { Literal } from '../../../../src/values/literal.ts';
import type { DataFile } from '../../../../src/warehouse/data-file.ts';
import type { Schema } from '../../../../src/warehouse/schema.ts';
import { NO_METRICS } from '../../../contracts/data-plane/build.ts';

/** The schema of the tables whose files are passed over or not. */
export const SCHEMA: Schema = {
  id: 0,
  identifierFieldIds: [],
  fields: [
    { id: 1, name: 'id', required: false, type: 'long' },
    { id: 2, name: 'na"me.x', required: false, type: 'string' },
    { id: 3, name: 'ratio', required: false, type: 'double' },
    { id: 4, name: 'at', required: false, type: 'timestamptz' },
    {
      id: 5,
      name: 'tags',
      required: false,
      type: { type: 'list', elementId: 6, elementRequired: false, element: 'long' },
    },
  ],
};

export const long = (value: bigint): Literal => ({ type: 'long', value: String(value) });
export const text = (value: string): Literal => ({ type: 'text', value });

/** As bounds hold it (specification, Appendix D). */
export const int64 = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
};

/** A data file of which nothing is known but what is given. */
export function fileOf(file: Partial<DataFile> = {}): DataFile {
  return {
    content: 'data',
    location: '/f',
    format: 'parquet',
    specId: 0,
    partition: [],
    recordCount: 10n,
    fileSize: 1n,
    metrics: NO_METRICS,
    ...file,
  };
}
