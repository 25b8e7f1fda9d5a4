import type { EngineName } from './engine.ts';
import type { FeatureName } from './features.ts';
import type { LakeKind, StorageKind } from './lake.ts';

/** Tables that one engine writes into one catalog, and who uses them afterwards. */
export interface Plan {
  readonly writer: EngineName;
  readonly kind: LakeKind;
  readonly storage: StorageKind;
  readonly features: readonly FeatureName[];
  readonly readers: readonly EngineName[];
  /** Those that look after the tables and append to them. */
  readonly keepers: readonly EngineName[];
  /** Whether Spark makes a view in the same catalog, beside the tables. */
  readonly view?: true;
}

const ALL: readonly EngineName[] = ['pyiceberg', 'spark', 'trino'];

/** The whole matrix. What an engine has no statement for is not in its list. */
export const PLANS = {
  spark: {
    ...{ writer: 'spark', kind: 'rest', storage: 's3', readers: ALL, keepers: ALL, view: true },
    features: [
      ...(['v1', 'v2', 'v3', 'transforms', 'days', 'respecified', 'positions', 'vectors'] as const),
      ...(['equality', 'merged', 'overwritten', 'rewritten', 'upgraded', 'evolved', 'moved'] as const),
      ...(['defaults', 'refs', 'sorted', 'nested', 'plain', 'codecs', 'layout', 'statistics'] as const),
      ...(['expired', 'merged_deletes', 'elsewhere'] as const),
    ],
  },
  trino: {
    ...{ writer: 'trino', kind: 'sql', storage: 's3', readers: ALL, keepers: ALL },
    features: [
      ...(['v1', 'v2', 'transforms', 'days', 'respecified', 'positions', 'merged', 'evolved'] as const),
      ...(['moved', 'sorted', 'nested', 'types', 'layout', 'elsewhere'] as const),
    ],
  },
  pyiceberg: {
    ...{ writer: 'pyiceberg', kind: 'sql', storage: 's3', readers: ALL, keepers: ALL, view: true },
    features: [
      ...(['v1', 'v2', 'transforms', 'days', 'respecified', 'overwritten', 'evolved', 'moved'] as const),
      ...(['refs', 'sorted', 'nested', 'types', 'codecs', 'layout', 'imported'] as const),
    ],
  },
  sqlite: {
    ...{ writer: 'pyiceberg', kind: 'sqlite', storage: 'local' },
    ...{ readers: ['pyiceberg', 'spark'], keepers: ['pyiceberg', 'spark'] },
    features: ['v1', 'v2', 'respecified', 'refs'],
  },
  folder: {
    ...{ writer: 'spark', kind: 'directory', storage: 'local', readers: ['pyiceberg', 'spark'] },
    // PyIceberg has no such catalog; it reads the metadata file.
    keepers: ['spark'],
    features: ['v2', 'positions', 'vectors', 'imported'],
  },
} satisfies Readonly<Record<string, Plan>>;

/** Tables from which Lethe does not erase; it says so by this code before it changes anything (design section 12). */
export const REFUSED: readonly {
  readonly writer: EngineName;
  readonly feature: FeatureName;
  readonly code: 'file-format' | 'unsupported-type';
}[] = [
  { writer: 'spark', feature: 'orc', code: 'file-format' },
  { writer: 'trino', feature: 'orc', code: 'file-format' },
  { writer: 'spark', feature: 'avro', code: 'file-format' },
  { writer: 'trino', feature: 'avro', code: 'file-format' },
  { writer: 'spark', feature: 'variant', code: 'unsupported-type' },
  { writer: 'pyiceberg', feature: 'fixed', code: 'unsupported-type' },
];
