import type { Literal } from '../values/literal.ts';

/** What a table's metadata says of one data or delete file: in Iceberg, field ids 100 to 145 of a manifest. */
export interface DataFile {
  readonly content: 'data' | 'position-deletes' | 'equality-deletes';
  readonly location: string;
  /** Lower case: `parquet`, `orc`, `avro`, `puffin`. */
  readonly format: string;
  readonly specId: number;
  /** In the order of the spec's fields. */
  readonly partition: readonly (Literal | null)[];
  readonly recordCount: bigint;
  readonly fileSize: bigint;
  readonly metrics: FileMetrics;
  readonly keyMetadata?: Uint8Array;
  readonly splitOffsets?: readonly bigint[];
  readonly equalityIds?: readonly number[];
  readonly sortOrderId?: number;
  readonly firstRowId?: bigint;
  readonly referencedDataFile?: string;
  readonly contentOffset?: bigint;
  readonly contentSize?: bigint;
}

/**
 * What tells a file from others in one snapshot: its location, and for a deletion vector its place there, since one Puffin file
 * holds those of many data files.
 */
export function fileKey({ location, contentOffset }: DataFile): string {
  return contentOffset === undefined ? location : `${location}#${contentOffset}`;
}

/** The kind of a delete file, in the words of {@link DataPlaneCapabilities.deletes}. */
export type DeleteKind = 'position-deletes' | 'equality-deletes' | 'deletion-vectors';

/** Which kind of deletes a delete file holds. */
export function deleteKind({ content, format }: DataFile): DeleteKind {
  if (content === 'equality-deletes') return content;
  return format === 'puffin' ? 'deletion-vectors' : 'position-deletes';
}

/** Statistics by field id; bounds in the single-value form of Iceberg's specification, Appendix D. */
export interface FileMetrics {
  readonly columnSizes: ReadonlyMap<number, bigint>;
  readonly valueCounts: ReadonlyMap<number, bigint>;
  readonly nullCounts: ReadonlyMap<number, bigint>;
  readonly nanCounts: ReadonlyMap<number, bigint>;
  readonly lowerBounds: ReadonlyMap<number, Uint8Array>;
  readonly upperBounds: ReadonlyMap<number, Uint8Array>;
}
