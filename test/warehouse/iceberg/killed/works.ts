import type { Warehouse } from '../../../../src/warehouse/index.ts';
import { ALL_BUT_CURRENT } from '../../../support/all-but-current.ts';
import { withId } from '../../../support/rows.ts';

export const TABLE = 'crm.learners';

/** The works that are killed. Each leaves the table without the person 3, whom the first two take out of it. */
export const WORKS = {
  change: (warehouse: Warehouse) => warehouse.change(TABLE, { delete: withId(3n) }, {}),
  /** A delete file hides the person: what is written again is the file behind it. */
  compact: (warehouse: Warehouse) => warehouse.change(TABLE, { delete: withId(3n), physically: true }, {}),
  scrub: (warehouse: Warehouse) => warehouse.scrub(TABLE, {}),
  expire: (warehouse: Warehouse) => warehouse.expire(TABLE, ALL_BUT_CURRENT),
} as const;

export type Work = keyof typeof WORKS;

/** Whether a work rewrites rows, and so needs a data plane. */
export function rewrites(work: Work): boolean {
  return work === 'change' || work === 'compact';
}
