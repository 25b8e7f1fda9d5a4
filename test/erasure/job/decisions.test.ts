import { expect, test } from 'vitest';
import { type EraseOptions, type Evidence, isClean } from '../../../src/erasure/index.ts';
import type { ErasureDecision } from '../../../src/governance/governance.ts';
import { byId, planOf, stepOf } from '../../support/plan-of.ts';
import { arrow, eraseIn, PERSON, rowsOf } from './lake.ts';
import { lakeOfEachTest } from './lake-of-each-test.ts';

const TABLE = 'crm.referrals';
const NOTHING = { kind: 'null' } as const;

const lake = lakeOfEachTest(async ({ warehouse }) => {
  await warehouse.create(TABLE, {
    columns: [
      { name: 'learner_id', type: 'long' },
      { name: 'referrer_id', type: 'long' },
      { name: 'note', type: 'string' },
    ],
  });
  await warehouse.append(
    TABLE,
    arrow({
      learner_id: [1, PERSON.id, 2, 3],
      referrer_id: [2, 1, PERSON.id, null],
      note: ['a', 'b', 'c', 'd'],
    }),
  );
});

/** Rows belong to the learner who was referred; in rows of others the person is no longer named. */
function eraseDecided(given: Partial<EraseOptions> = {}): Promise<Evidence> {
  const referrals = stepOf({
    table: TABLE,
    action: 'delete',
    match: [byId('learner_id')],
    clear: [{ column: 'referrer_id', with: NOTHING }],
    clearBy: [byId('referrer_id')],
    reason: 'the row belongs to the one who was referred',
    decidedBy: 'crm team',
  });
  return eraseIn(lake, { plan: planOf([...lake.plan.steps, referrals]), ...given });
}

test('L5d: rows of the person go, and in the rows of others the key that names them is cleared, in one rewrite', async () => {
  const foretold = await eraseDecided({ dryRun: true });
  const evidence = await eraseDecided();
  expect((await rowsOf(lake.warehouse))[TABLE]).toEqual(['1|2|a', '2|null|c', '3|null|d']);
  for (const { tables } of [foretold, evidence])
    expect(tables.find(({ table }) => table === TABLE)).toMatchObject({
      action: 'delete',
      rows: 1,
      cleared: ['referrer_id'],
      rowsCleared: 1,
    });
  expect(evidence.totals).toMatchObject({ filesHolding: 0, notProven: 0 });
  expect(isClean(evidence)).toBe(true);
});

test('E4: a job that was stopped before it cleared them finds the rows of others again', async () => {
  const stopped = eraseDecided({ signal: AbortSignal.abort() });
  await expect(stopped).rejects.toMatchObject({ code: 'erasure/stopped', data: { stage: 'delete' } });
  const { tables } = await eraseDecided();
  expect((await rowsOf(lake.warehouse))[TABLE]).toEqual(['1|2|a', '2|null|c', '3|null|d']);
  expect(tables.find(({ table }) => table === TABLE)).toMatchObject({ rows: 1, rowsCleared: 1 });
});

test('E2: beside a delete another decision lets mentions stay', async () => {
  await lake.warehouse.append(
    TABLE,
    arrow({ learner_id: [1], referrer_id: [3], note: [`told ${PERSON.name} about it`] }),
  );
  const refusal = await eraseDecided().catch((error) => error);
  expect(refusal.tables).toMatchObject([{ table: TABLE, code: 'mentions' }]);
  const decision = (action: 'delete' | 'ignore', answers: readonly string[]): ErasureDecision => ({
    ...{ table: TABLE, answers, action, by: action === 'delete' ? ['learner_id'] : [], columns: [] },
    ...{ refs: new Map(), reason: 'theirs', decidedBy: 'crm', at: { file: 't', line: 1, column: 1 } },
  });
  const decisions = [decision('delete', ['two-people']), decision('ignore', ['mentions'])];
  const governance = { ...lake.governance, decisions: new Map([[TABLE, decisions]]) };
  const evidence = await eraseDecided({ governance });
  expect(evidence.mentions).toEqual([{ table: TABLE, column: 'note', rows: 1 }]);
  expect((await rowsOf(lake.warehouse))[TABLE]).toHaveLength(4);
  // The person is still named: the request stays open.
  expect(isClean(evidence)).toBe(false);
});
