import { Bool, Table, TimestampMicrosecond, Utf8, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ConsentRecord,
  type ConsentState,
  consentAt,
  consentFilter,
  consentRecords,
  consentsAt,
  erasureGrounds,
  isGiven,
  parseConsentState,
  staleTables,
  withConsent,
} from '../../src/consent/index.ts';
import { parseGovernance } from '../../src/governance/index.ts';
import type { Edge, Role } from '../../src/lineage/lineage.ts';
import { compileSql, evaluate } from '../../src/predicate/index.ts';
import { printed } from '../support/chapter.ts';

const governance = parseGovernance({
  'retention.toml':
    '[erasure.subjects.learner]\nid_type = "long"\nid_columns = ["learner_id"]\nidentifying = []',
  'consent.toml': `
[purposes.marketing_email]
subject = "learner"
table = "crm.learners"
attribute = "marketing_consent"
also = { column = "status", equals = "active" }
grounds_for_erasure = true
[purposes.ai_training]
subject = "learner"
table = "crm.learners"
attribute = "ai_training_consent"
`,
});
const marketing = governance.purposes.get('marketing_email')!;
const STATES: readonly ConsentState[] = ['given', 'refused', 'withdrawn', 'expired', 'unknown'];

const record = (
  state: ConsentState,
  changedAt: number,
  subject = '3590',
  purpose = 'marketing_email',
): ConsentRecord => ({
  subject,
  purpose,
  state,
  changedAt,
});
const question = { purpose: 'marketing_email', subject: '3590' };

describe('C1: records fold to the state at an instant', () => {
  const records = [
    record('given', 10),
    record('withdrawn', 20),
    record('given', 30, '1'),
    record('given', 40, '3590', 'ai_training'),
  ];

  test.each([
    [9, 'unknown'],
    [10, 'given'],
    [19, 'given'],
    [20, 'withdrawn'],
    [50, 'withdrawn'],
  ])('C1: at %i it is %s', (instant, state) => {
    expect(consentAt({ ...question, records, instant })).toBe(state);
  });

  test('C1: any order and any repetition of records folds to the same', () => {
    const anyRecord = fc.record({
      subject: fc.constantFrom('3590', '1'),
      purpose: fc.constantFrom('marketing_email', 'ai_training'),
      state: fc.constantFrom(...STATES),
      changedAt: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(
        fc.array(anyRecord, { maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 0, max: 6 }),
        (given, order, instant) => {
          const expected = consentAt({ ...question, records: given, instant });
          const shuffled = [...given, ...given.slice(0, 3)]
            .map((one) => ({ one: { ...one }, at: order.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ one }) => one);
          expect(consentAt({ ...question, records: shuffled, instant })).toBe(expected);
          expect(
            consentsAt({ records: shuffled, purpose: question.purpose, instant }).get('3590') ?? 'unknown',
          ).toBe(expected);
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });

  test('C1: of two changes at one instant the more cautious stands', () => {
    for (const other of STATES) {
      const both = [record('given', 10), record(other, 10)];
      expect(consentAt({ ...question, records: both, instant: 10 })).toBe(other);
    }
  });

  test('C1: the terms of the Data Privacy Vocabulary are read', () => {
    const written = [
      'given',
      'ConsentGiven',
      'dpv:ConsentGiven',
      'https://w3id.org/dpv#ConsentGiven',
      'RenewedConsentGiven',
    ];
    expect(written.map(parseConsentState)).toEqual(written.map(() => 'given'));
    expect(['ConsentRequested', 'dpv:ConsentUnknown'].map(parseConsentState)).toEqual(['unknown', 'unknown']);
    expect(['ConsentRevoked', 'withdrawn', 'ConsentInvalidated'].map(parseConsentState)).toEqual([
      'withdrawn',
      'withdrawn',
      'withdrawn',
    ]);
  });

  test('a state that nobody knows is an error, and is not shown', () => {
    for (const text of ['', 'yes', 'Alexa Reed', 'constructor', '__proto__']) {
      expect(() => parseConsentState(text)).toThrowError(expect.objectContaining({ code: 'consent/state' }));
    }
    expect(() => parseConsentState('Alexa Reed')).toThrowError(expect.not.stringContaining('Alexa'));
  });

  test('records are read out of an Arrow table, with ids in their one form', () => {
    const table = new Table({
      subject: vectorFromArray(['3590', '0001'], new Utf8()),
      purpose: vectorFromArray(['p', 'p'], new Utf8()),
      state: vectorFromArray(['ConsentGiven', null], new Utf8()),
      changed_at: vectorFromArray([1000, 2000], new TimestampMicrosecond('UTC')),
    });
    expect(consentRecords(table, 'long')).toEqual([
      { subject: '3590', purpose: 'p', state: 'given', changedAt: 1000 },
      { subject: '1', purpose: 'p', state: 'unknown', changedAt: 2000 },
    ]);
    expect(() => consentRecords(table, 'uuid')).toThrowError(
      expect.objectContaining({ code: 'consent/record' }),
    );
    expect(() => consentRecords(table.select(['subject']), 'long')).toThrowError(
      expect.objectContaining({ code: 'predicate/no-column' }),
    );
  });
});

describe('C2: only given is given', () => {
  test.each(STATES)('C2: %s', (state) => {
    expect(isGiven(state)).toBe(state === 'given');
  });
});

describe('C3: a withdrawal changes the next read', () => {
  const learners = (consent: (boolean | null)[]) =>
    new Table({
      learner_id: vectorFromArray(consent.map((_, index) => BigInt(index))),
      marketing_consent: vectorFromArray(consent, new Bool()),
      status: vectorFromArray(
        consent.map((_, index) => (index === 3 ? 'closed' : 'active')),
        new Utf8(),
      ),
    });
  const ids = (table: Table) => [...table.getChild('learner_id')!].map(Number);

  test('C3: the filter keeps true, and neither false nor NULL', () => {
    const before = learners([true, false, null, true, true]);
    expect(evaluate(consentFilter(marketing), before)).toEqual([true, false, false, false, true]);
    expect(ids(withConsent(before, marketing))).toEqual([0, 4]);
    expect(ids(withConsent(learners([false, false, null, true, true]), marketing))).toEqual([4]);
    expect(before.numRows).toBe(5);
  });

  test('C3: nobody is left where nobody agreed, and the columns stay', () => {
    const none = withConsent(learners([false, null]), marketing);
    expect(none.numRows).toBe(0);
    expect(none.schema.fields.map(({ name }) => name)).toEqual(['learner_id', 'marketing_consent', 'status']);
  });

  test('C3: a table without the attribute is an error, not a table where everybody agreed', () => {
    expect(() => withConsent(learners([true]).select(['learner_id', 'status']), marketing)).toThrowError(
      expect.objectContaining({ code: 'predicate/no-column' }),
    );
  });

  test('C3: the row filters are those that the chapter prints, and SQL in every dialect', () => {
    const filter = consentFilter(marketing);
    const parts = filter.kind === 'and' ? filter.of : [];
    const shown = parts.map((part) =>
      part.kind === 'compare' ? { column: part.column, equals: part.value.value } : null,
    );
    expect(shown).toEqual(
      JSON.parse(printed('consent-withdrawal', "marketing's row filters on crm.learners")),
    );
    expect(compileSql(filter, 'spark')).toBe("(`marketing_consent` = TRUE) AND (`status` = 'active')");
  });
});

describe('C4: what was built on an older answer', () => {
  const edge = (from: string, to: string, job: string, role: Role = 'filter'): Edge => {
    const at = (name: string) => ({
      table: name.slice(0, name.lastIndexOf('.')),
      column: name.slice(name.lastIndexOf('.') + 1),
    });
    return { from: at(from), to: at(to), roles: [role], job };
  };
  const lineage = {
    edges: [
      edge('crm.learners.marketing_consent', 'marketing.audience.learner_id', 'platform audience'),
      edge('crm.learners.learner_id', 'analytics.activity.learner_id', 'platform activity', 'identity'),
      edge('marketing.audience.learner_id', 'marketing.campaign.learner_id', 'platform campaign', 'identity'),
      edge('marketing.campaign.learner_id', 'marketing.audience.learner_id', 'platform audience', 'identity'),
      edge('crm.learners.ai_training_consent', 'ai.corpus.text', 'platform corpus'),
    ],
  };
  const stale = (builtAt: Record<string, number>) =>
    staleTables({ lineage, purpose: marketing, changedAt: 100, builtAt: new Map(Object.entries(builtAt)) });

  test('C4: tables built with the filter before the change, and what was built from them, with their jobs', () => {
    expect(stale({ 'marketing.audience': 99, 'marketing.campaign': 200 })).toEqual([
      { table: 'marketing.audience', jobs: ['platform audience'], builtAt: 99 },
      { table: 'marketing.campaign', jobs: ['platform campaign'], builtAt: 200 },
    ]);
  });

  test('C4: nothing once all were built again', () => {
    expect(stale({ 'marketing.audience': 100, 'marketing.campaign': 101 })).toEqual([]);
  });

  test('C4: a table of which it is not known when it was built is stale', () => {
    expect(stale({ 'marketing.audience': 100 })).toMatchObject([
      { table: 'marketing.audience' },
      { table: 'marketing.campaign', builtAt: null },
    ]);
  });
});

describe('C5: a withdrawal that is a ground for erasure', () => {
  const records = [
    record('given', 1, '1'),
    record('withdrawn', 2, '1'),
    record('withdrawn', 9, '2'),
    record('refused', 1, '3'),
    record('withdrawn', 1, '4', 'ai_training'),
    record('withdrawn', 1, '5'),
    record('given', 2, '5'),
  ];

  test('C5: asks for the erasure of those whose consent is withdrawn at the instant, for such purposes only', () => {
    const at = (instant: number) =>
      erasureGrounds({ governance, records, instant }).map(({ ids, ...rest }) => ({
        ...rest,
        ids: ids.reveal(),
      }));
    expect(at(5)).toEqual([{ purpose: 'marketing_email', subject: 'learner', ids: ['1'] }]);
    expect(at(9)).toEqual([{ purpose: 'marketing_email', subject: 'learner', ids: ['1', '2'] }]);
    expect(at(0)).toEqual([]);
  });

  test('C5: the ids do not print', () => {
    expect(JSON.stringify(erasureGrounds({ governance, records, instant: 9 }))).not.toMatch(/"[12]"/);
  });
});
