import type { ExpireOptions } from '../../src/warehouse/warehouse.ts';

/** Ends all snapshots but the current one, and removes what only they held. */
export const ALL_BUT_CURRENT: ExpireOptions = {
  olderThan: Number.MAX_SAFE_INTEGER,
  minToKeep: 1,
  files: 'delete',
};
