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
}

const ALL: readonly EngineName[] = ['pyiceberg', 'spark', 'trino'];

/** The whole matrix. What an engine has no statement for is not in its list. */
export const PLANS = {
  spark: {
    ...{ writer: 'spark', kind: 'rest', storage: 's3', readers: ALL, keepers: ALL },
    features: [
      ...(['v1', 'v2', 'v3', 'transforms', 'days', 'respecified', 'positions', 'vectors'] as const),
      ...(['equality', 'rewritten', 'evolved', 'defaults', 'refs', 'sorted', 'nested', 'codecs'] as const),
    ],
  },
  trino: {
    ...{ writer: 'trino', kind: 'sql', storage: 's3', readers: ALL, keepers: ALL },
    features: [
      ...(['v1', 'v2', 'transforms', 'days', 'respecified', 'positions', 'evolved', 'sorted'] as const),
      'nested',
    ],
  },
  pyiceberg: {
    ...{ writer: 'pyiceberg', kind: 'sql', storage: 's3', readers: ALL, keepers: ALL },
    features: [
      ...(['v1', 'v2', 'transforms', 'days', 'respecified', 'evolved', 'refs', 'sorted'] as const),
      ...(['nested', 'types', 'codecs'] as const),
    ],
  },
  folder: {
    ...{ writer: 'spark', kind: 'directory', storage: 'local', readers: ['pyiceberg', 'spark'] },
    // PyIceberg has no such catalog; it reads the metadata file.
    keepers: ['spark'],
    features: ['v2', 'positions', 'vectors'],
  },
} satisfies Readonly<Record<string, Plan>>;
