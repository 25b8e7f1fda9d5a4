import type { CanonicalRow } from '../engines/canonical.ts';
import type { FeatureName } from './features.ts';

export type EngineName = 'spark' | 'trino' | 'pyiceberg';

/** One engine on one lake. Tables are named `namespace.table`. */
export interface Engine {
  readonly name: EngineName;
  /** Makes a table that has a feature, with the feature's rows. */
  readonly write: (feature: FeatureName, table: string) => Promise<void>;
  /** All rows of a table, or of a branch or tag of it, columns in the order of its schema. */
  readonly read: (table: string, ref?: string) => Promise<readonly CanonicalRow[]>;
  /** Makes a view of a table's rows, where the engine can. */
  readonly view?: (view: string, table: string) => Promise<void>;
  readonly append: (table: string, feature: FeatureName, row: CanonicalRow) => Promise<void>;
  /** Everything the engine has for looking after a table. */
  readonly maintain: (table: string) => Promise<void>;
}
