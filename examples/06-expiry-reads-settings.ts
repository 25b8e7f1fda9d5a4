// Two settings of a table say what may be expired. Some tools expire by age and never read them; here they are read before
// anything is done, and a table whose owner switched garbage collection off is refused.

import { expireByAge, RefusedError } from 'lethe';
import { equals } from 'lethe/predicate';
import { system } from 'lethe/system';
import { examplePlatform, say } from './notebook.ts';

for (const [property, value] of [
  ['gc.enabled', 'false'],
  ['history.expire.min-snapshots-to-keep', '3'],
] as const) {
  // %% crm.learners with the setting and three snapshots: the load, then two deletes
  const setting = `${property}=${value}`;
  const { warehouse, close } = await examplePlatform({ only: ['crm.learners'] });
  const table = 'crm.learners';
  await warehouse.setProperties(table, { [property]: value }, {});
  for (const learner of ['3590', '3591']) {
    await warehouse.change(table, { delete: equals('learner_id', { type: 'long', value: learner }) }, {});
  }
  say(`${setting}, snapshots`, (await warehouse.describe(table)).snapshots.length);

  // %% Expiry, as if all snapshots were old
  try {
    const { snapshots } = await expireByAge({
      warehouse,
      table,
      instant: system.clock.now() + 365 * 86_400_000,
    });
    say(`${setting}, expiry expires`, snapshots.length);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    say(`${setting}, expiry refuses`, error.message.replace(`. ${error.remedy}`, ''));
    say(`${setting}, what to do`, error.remedy);
  }
  say(`${setting}, snapshots left by expiry`, (await warehouse.describe(table)).snapshots.length);
  await close();
}
