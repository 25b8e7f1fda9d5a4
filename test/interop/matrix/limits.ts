import type { EngineName } from './engine.ts';
import type { FeatureName } from './features.ts';

/** When a table is read: as its writer left it, after Lethe's erasure, after all engines looked after it and appended. */
export type Phase = 'written' | 'erased' | 'end';

/** What an engine of the pinned version cannot do. The tests hold it to that: one that learned it fails them. */
export interface Limit {
  /** What it says instead; null where it reads other rows without a word. */
  readonly says: RegExp | null;
  /** For docs/interop.md. */
  readonly note: string;
}

export interface Limits {
  readonly read?: Limit & { readonly phases: readonly Phase[] };
  readonly maintain?: Limit;
  readonly append?: Limit;
}

const PYICEBERG_WRITES_NO_V3: Limits = {
  append: {
    says: /Cannot write manifest for table version: 3/,
    note: 'reads and expires; appends to no version 3',
  },
};
const TRINO_V3: Limits = {
  maintain: {
    says: /OPTIMIZE is not supported for Iceberg table format version > 2/,
    note: 'reads and appends; looks after no version 3',
  },
};
const TRINO_NO_VECTORS: Limits = {
  ...TRINO_V3,
  read: {
    says: /Unexpected PUFFIN file format/,
    note: 'reads no deletion vectors, and the table only after the erasure, which ends them',
    phases: ['written'],
  },
};
const SPARK_TIME = { says: /Spark does not support time fields/, note: 'has no type time' };

/** By engine and feature; everything else works. */
export const LIMITS: Readonly<Record<EngineName, Readonly<Partial<Record<FeatureName, Limits>>>>> = {
  pyiceberg: {
    v3: PYICEBERG_WRITES_NO_V3,
    vectors: PYICEBERG_WRITES_NO_V3,
    rewritten: PYICEBERG_WRITES_NO_V3,
    upgraded: PYICEBERG_WRITES_NO_V3,
    defaults: PYICEBERG_WRITES_NO_V3,
    equality: {
      read: {
        says: /does not yet support equality deletes/,
        note: 'reads them only after the erasure, which ends the equality deletes',
        phases: ['written'],
      },
    },
  },
  spark: {
    types: {
      read: { ...SPARK_TIME, phases: ['written', 'erased', 'end'] },
      maintain: SPARK_TIME,
      append: SPARK_TIME,
    },
  },
  trino: {
    v3: TRINO_V3,
    rewritten: TRINO_V3,
    vectors: TRINO_NO_VECTORS,
    upgraded: TRINO_NO_VECTORS,
    defaults: {
      ...TRINO_V3,
      read: { says: null, note: 'reads null for the default', phases: ['written', 'erased'] },
    },
  },
};
