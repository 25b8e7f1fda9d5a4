import type { Warehouse } from '../../../src/warehouse/index.ts';
import { ALL_BUT_CURRENT } from '../../support/all-but-current.ts';
import { withId } from '../../support/rows.ts';

export const TABLE = 'crm.learners';

/** The works that killed.test.ts kills. */
export async function doWork(warehouse: Warehouse, work: 'change' | 'scrub' | 'expire'): Promise<void> {
  if (work === 'change') await warehouse.change(TABLE, { delete: withId(3n) }, {});
  else if (work === 'scrub') await warehouse.scrub(TABLE, {});
  else await warehouse.expire(TABLE, ALL_BUT_CURRENT);
}
