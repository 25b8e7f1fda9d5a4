import { expect, test } from 'vitest';
import { hidePerson } from '../../../src/erasure/job/hide-person.ts';
import { FailedError, RefusedError } from '../../../src/errors.ts';
import { makeTraces } from '../../../src/scan/index.ts';
import { id, long } from '../../scan/support/sought.ts';

const traces = makeTraces({
  subject: 'learner',
  texts: [{ text: 'quirina zolota', wholeCell: false, shared: false }],
  ids: [id('learner_id', long(73519824))],
  hashes: [],
});

test('E3: an error of the running job is shown without what names the person', () => {
  const path = '/lake/stray/Quirina%20Zolotareva.csv';
  const folder = '/lake/data/learner_id=73519824';
  const error = new FailedError('storage/remove-failed', `${path} and ${folder} could not be removed`, {
    remedy: `Check the rights on ${path}`,
    data: { location: path, files: [{ folder }], rows: 3n },
    cause: new Error(path),
  });
  const shown = hidePerson(error, traces) as FailedError;
  expect(shown).toBeInstanceOf(FailedError);
  expect(shown).toMatchObject({ code: 'storage/remove-failed', kind: 'failed', data: { rows: 3n } });
  expect(shown.message).toContain('/lake/stray/***');
  for (const value of ['quirina', 'zolotareva', '73519824']) {
    expect(`${shown.message} ${shown.stack} ${shown.remedy}`.toLowerCase()).not.toContain(value);
    expect(
      JSON.stringify(shown.data, (_, part) => (typeof part === 'bigint' ? '' : part)).toLowerCase(),
    ).not.toContain(value);
  }
  expect(shown.cause).toBeUndefined();
});

test('other errors stay what they are', () => {
  const refused = new RefusedError('iceberg/x', 'crm.learners: why', { remedy: 'Wait', data: { id: 3n } });
  for (const error of [refused, new TypeError('x')]) expect(hidePerson(error, traces)).toBe(error);
});
