/** What a scan found: places and counts, never a value (design section 13). A plain document, `scan --json`. */
export interface ScanReport {
  readonly searched: { readonly ids: number; readonly texts: number };
  /** The folder of the whole warehouse, below which most files lie; null where it has none. */
  readonly folder: string | null;
  readonly tables: readonly TableReport[];
  readonly totals: ScanTotals;
}

export interface ScanTotals {
  readonly files: number;
  readonly bytes: number;
  /** Files that hold the person. */
  readonly holding: number;
  readonly notProven: number;
  /** Files that hold only traces which another person shares (rule S3). */
  readonly shared: number;
}

export interface TableReport {
  /** The table's name, or the folder's location for files that no table claims. */
  readonly table: string;
  readonly files: number;
  readonly bytes: number;
  readonly holding: number;
  readonly notProven: number;
  readonly shared: number;
  readonly found: readonly Found[];
  readonly unread: readonly { readonly file: string; readonly why: string }[];
}

/** The kinds of place (rule S4). */
export type PlaceKind =
  | 'data'
  | 'bound'
  | 'partition'
  | 'path'
  | 'summary'
  | 'metadata'
  | 'statistics'
  | 'delete-file'
  | 'footer'
  | 'other';

export interface Found {
  /** The file's location, a match in it replaced by `***`. */
  readonly file: string;
  readonly kind: PlaceKind;
  /** Column, row group, entry: where in the file, without the value. */
  readonly where: string;
  readonly shared: boolean;
}
