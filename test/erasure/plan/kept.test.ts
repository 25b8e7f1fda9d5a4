import { expect, test } from 'vitest';
import type { JobRun } from '../../support/openlineage.ts';
import { PEOPLE, SOURCES, step } from './people.ts';
import { planOf, stepOf, told } from './support.ts';

const RETENTION = `
[tables."app.tickets"]
keep_days = 10
counted_from = "ticket_id"
[erasure.exceptions."app.tickets"]
reason = "a dispute"
decided_by = "legal team"
erase_columns = ["mail"]
`;

test('L5e: an exception keeps the rows and clears the columns it lists; a copy is a review unless it is covered', async () => {
  const copy: JobRun = {
    job: 'j',
    output: 'mart.t',
    columns: { k: ['app.tickets.person_id'], m: [['app.tickets.mail', 'TRANSFORMATION']] },
  };
  const tables = { ...PEOPLE, 'mart.t': 'k m:string' };
  const planning = { tables, runs: [copy], sources: SOURCES };
  expect(await stepOf({ ...planning, retention: RETENTION }, 'app.tickets')).toBe(
    'keep by person_id, clear mail',
  );
  expect(await stepOf({ ...planning, retention: RETENTION }, 'mart.t')).toBe('review derived-from-kept');
  const covering = `${RETENTION}covers = ["mart.t"]\n`;
  const plan = await planOf({ ...planning, retention: covering });
  expect(told(plan.steps.find(({ table }) => table === 'mart.t'))).toBe(
    'keep by k = app.tickets.person_id, clear m',
  );
  expect(plan.steps.find(({ table }) => table === 'mart.t')).toMatchObject({
    reason: 'a dispute',
    decidedBy: 'legal team',
  });
  // What only counts the kept rows is made again, with them.
  const counted: JobRun = {
    job: 'j',
    output: 'mart.t',
    lifecycle: 'OVERWRITE',
    columns: { n: [['app.tickets.ticket_id', 'COUNT']] },
  };
  expect(await step(counted, 'n', { retention: RETENTION })).toBe('rebuild by j');
  // An exception for other kinds of people holds nothing back.
  const others = `${RETENTION}subjects = ["ghost"]\n[erasure.subjects.ghost]\nid_type = "long"\nid_columns = ["ghost_id"]\nidentifying = []\n`;
  expect(await stepOf({ ...planning, retention: others }, 'app.tickets')).toBe('delete by person_id');
});
