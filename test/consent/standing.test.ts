import { Bool, Int64, Table, TimestampMicrosecond, Utf8, vectorFromArray } from 'apache-arrow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consentStandings } from '../../src/consent/index.ts';
import { parseGovernance } from '../../src/governance/index.ts';
import type { Edge } from '../../src/lineage/lineage.ts';
import { equals } from '../../src/predicate/index.ts';
import { type Lake, makeLake } from '../support/lake.ts';

const governance = parseGovernance({
  'retention.toml':
    '[erasure.subjects.learner]\nid_type = "long"\nid_columns = ["learner_id"]\nidentifying = []',
  'consent.toml': `
[purposes.research]
subject = "learner"
table = "crm.learners"
attribute = "research"
[purposes.mail]
subject = "learner"
table = "crm.learners"
attribute = "mail"
records = "crm.consents"
grounds_for_erasure = true
`,
});
const lineage = { edges: ['mail', 'research'].map(filterOf) };
const BEGIN = Date.UTC(2026, 8, 1);
const hours = (count: number): number => BEGIN + count * 3_600_000;

let lake: Lake;

// Learners 1 to 4; both audiences are built in the fourth hour, and learner 2 withdraws in the sixth.
beforeAll(async () => {
  lake = await makeLake();
  const { warehouse } = lake;
  lake.clock.at = hours(1);
  await warehouse.create('crm.learners', {
    columns: [
      { name: 'learner_id', type: 'long' },
      { name: 'mail', type: 'boolean' },
      { name: 'research', type: 'boolean' },
    ],
  });
  const learners = {
    learner_id: vectorFromArray([1n, 2n, 3n, 4n], new Int64()),
    mail: vectorFromArray([true, true, false, null], new Bool()),
    research: vectorFromArray([true, true, true, null], new Bool()),
  };
  await warehouse.append('crm.learners', new Table(learners));
  lake.clock.at = hours(4);
  for (const purpose of ['mail', 'research']) {
    await warehouse.create(`mart.${purpose}`, { columns: [{ name: 'learner_id', type: 'long' }] });
    await warehouse.append(`mart.${purpose}`, new Table({ learner_id: learners.learner_id }));
  }
  await warehouse.create('crm.consents', {
    columns: [
      { name: 'subject', type: 'long' },
      { name: 'purpose', type: 'string' },
      { name: 'state', type: 'string' },
      { name: 'changed_at', type: 'timestamptz' },
    ],
  });
  await warehouse.append(
    'crm.consents',
    new Table({
      subject: vectorFromArray([1n, 2n, 3n, 2n, 1n], new Int64()),
      purpose: vectorFromArray(['mail', 'mail', 'mail', 'mail', 'research'], new Utf8()),
      state: vectorFromArray(['given', 'given', 'refused', 'withdrawn', 'withdrawn'], new Utf8()),
      changed_at: vectorFromArray(
        [1, 2, 3, 6, 7].map((hour) => new Date(hours(hour))),
        new TimestampMicrosecond('UTC'),
      ),
    }),
  );
});

afterAll(() => lake.close());

const standings = (hour: number) =>
  consentStandings({ warehouse: lake.warehouse, governance, lineage, instant: hours(hour) });

test('C1, C2: counts the people by their last record at the instant, and the rows that a purpose may use', async () => {
  const [mail, research] = await standings(8);
  expect(mail).toMatchObject({
    purpose: { name: 'mail' },
    rows: 4,
    given: 2,
    states: { given: 1, withdrawn: 1, refused: 1, expired: 0, unknown: 0 },
  });
  expect(research).toMatchObject({ purpose: { name: 'research' }, rows: 4, given: 3, states: null });
});

test('C4: a table built before the last record is stale, and one built before a later record is not yet', async () => {
  const [mail] = await standings(8);
  expect(mail!.stale).toEqual([{ table: 'mart.mail', jobs: ['etl build mail'], builtAt: hours(4) }]);
  expect((await standings(5))[0]!.stale).toEqual([]);
});

test('C5: counts those whose withdrawal asks for an erasure, where it does', async () => {
  expect((await standings(5)).map(({ toErase }) => toErase)).toEqual([0, null]);
  expect((await standings(8)).map(({ toErase }) => toErase)).toEqual([1, null]);
});

test('C4: where nothing is recorded, a load of the table is a change, and an erasure from it or its copy is none', async () => {
  const learner = equals('learner_id', { type: 'long', value: '4' });
  const stale = async () => (await standings(8))[1]!.stale.map(({ table }) => table);
  lake.clock.at = hours(9);
  await lake.warehouse.change('crm.learners', { delete: learner }, { 'erasure-request': 'r-1' });
  expect(await stale()).toEqual([]);
  lake.clock.at = hours(10);
  await lake.warehouse.change('crm.learners', { delete: learner }, {});
  await lake.warehouse.append('crm.learners', new Table({ learner_id: vectorFromArray([5n], new Int64()) }));
  lake.clock.at = hours(11);
  await lake.warehouse.change('mart.research', { delete: learner }, { 'erasure-request': 'r-1' });
  expect(await stale()).toEqual(['mart.research']);
});

function filterOf(purpose: string): Edge {
  return {
    from: { table: 'crm.learners', column: purpose },
    to: { table: `mart.${purpose}`, column: '*' },
    roles: ['filter'],
    job: `etl build ${purpose}`,
  };
}
