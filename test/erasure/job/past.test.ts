import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isClean } from '../../../src/erasure/index.ts';
import { equals } from '../../../src/predicate/index.ts';
import { arrow, eraseIn, PERSON, ROWS_LEFT, rowsOf } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const lake = lakeOfEachTest();
const theirs = equals('learner_id', { type: 'long', value: String(PERSON.id) });

test('S1: a copy that holds a value from before a change is found, as long as a snapshot remembers it', async () => {
  await lake.warehouse.overwrite(
    'crm.learners',
    arrow({ learner_id: [PERSON.id], full_name: [PERSON.name], email: ['married-now@else.ex'] }),
    { where: theirs },
  );
  await writeFile(join(lake.dir, 'warehouse', 'export.txt'), `to ${PERSON.email}`);
  const evidence = await eraseIn(lake);
  expect(evidence.totals.filesHolding).toBe(1);
  expect(isClean(evidence)).toBe(false);
});

test('E7: a person whose row was deleted before the request came is looked for by its values all the same', async () => {
  await lake.warehouse.change('crm.learners', { delete: theirs }, {});
  await writeFile(join(lake.dir, 'warehouse', 'export.txt'), `to ${PERSON.email}`);
  const evidence = await eraseIn(lake);
  expect(evidence.searched.texts).toBeGreaterThan(0);
  expect(evidence.totals.filesHolding).toBe(1);
});

test('L5: copies of a row that was deleted before go, too; those of a row that is somebody else’s now stay', async () => {
  const { warehouse } = lake;
  await warehouse.append(
    'learning.reviews',
    arrow({ review_id: [500], learner_id: [PERSON.id], comment: ['mine'] }),
  );
  await warehouse.append('ai.corpus', arrow({ review_id: [500], text: ['corrected'] }));
  // The review 500 was put down to the wrong learner, and corrected; that of the person was deleted by hand.
  await warehouse.overwrite(
    'learning.reviews',
    arrow({ review_id: [500], learner_id: [1], comment: ['mine'] }),
    { where: equals('review_id', { type: 'long', value: '500' }) },
  );
  await warehouse.change('learning.reviews', { delete: theirs }, {});
  const evidence = await eraseIn(lake);
  expect(isClean(evidence)).toBe(true);
  expect(await rowsOf(warehouse)).toEqual({
    ...ROWS_LEFT,
    'ai.corpus': ['10|fine', '500|corrected'],
    'learning.reviews': [...ROWS_LEFT['learning.reviews'], '500|1|mine'],
  });
});
