import { describe, expect, test } from 'vitest';
import { mentions, noteTraces } from '../../../src/scan/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type LakeOptions, makeLake, nestedNotes, PERSON } from '../support/lake.ts';

const folder = temporaryFolder();

async function mentioned(options: LakeOptions) {
  const lake = await makeLake(folder, options);
  const bound = await lake.bind();
  return mentions({ bound, warehouse: lake.warehouse, traces: await noteTraces({ ...lake, bound }) });
}

describe('mentions', () => {
  test('E2: none where only the rows that are deleted or cleared name the person', async () => {
    expect(await mentioned({})).toEqual([]);
  });

  test('E2: rows that stay are counted per table and column, in any writing, rows without ids too', async () => {
    const found = await mentioned({
      more: {
        'support.tickets': [
          { ticket_id: 11, learner_id: 1, message: `ask ${PERSON.email.toUpperCase()} please` },
          { ticket_id: 12, learner_id: null, message: `${PERSON.name.normalize('NFD')} wrote` },
          { ticket_id: 13, learner_id: 2, message: 'Zoe Haase without dots' },
          { ticket_id: 14, learner_id: PERSON.id, message: `I am ${PERSON.name}` },
        ],
        'ai.corpus': [{ review_id: 78, text: `as ${PERSON.name} says` }],
        'billing.payments': [{ payment_id: 7, learner_id: 1, card: `paid by ${PERSON.phone}` }],
      },
    });
    expect(found).toEqual([
      { table: 'ai.corpus', column: 'text', rows: 1 },
      { table: 'billing.payments', column: 'card', rows: 1 },
      { table: 'support.tickets', column: 'message', rows: 2 },
    ]);
  });

  test('E2: text in structs and lists counts once for its row, in a table that the plan does not visit', async () => {
    const lake = await makeLake(folder);
    const bound = await lake.bind();
    const traces = await noteTraces({ ...lake, bound });
    const notes = nestedNotes([[PERSON.name, PERSON.name], ['Anna'], null, [], ['x', PERSON.email]]);
    const path = ['notes', 'element', 'by'];
    const description = {
      ...(await lake.warehouse.describe('ai.corpus')),
      table: 'notes.threads',
      columns: [
        { name: 'notes', path: ['notes'], id: 1, type: 'list', required: false },
        { name: path.join('.'), path, id: 2, type: 'string', required: false },
      ],
    };
    const warehouse = {
      list: async () => ['notes.threads'],
      describe: async () => description,
      read: async function* () {
        yield* notes.batches;
      },
    };
    expect(await mentions({ bound, traces, warehouse })).toEqual([
      { table: 'notes.threads', column: 'notes.element.by', rows: 2 },
    ]);
  });

  test('S3: that others have a card with the same beginning in the cleared column is no mention', async () => {
    const card = '4111-1111-1111-9999';
    expect(
      await mentioned({ more: { 'billing.payments': [{ payment_id: 7, learner_id: 1, card }] } }),
    ).toEqual([]);
  });

  test('S3: what a namesake shares is no mention', async () => {
    const found = await mentioned({
      more: {
        'crm.learners': [
          { learner_id: 7, full_name: PERSON.name, email: 'other@x.org', phone: null, born: null },
        ],
        'support.tickets': [{ ticket_id: 11, learner_id: 7, message: `I am ${PERSON.name}` }],
      },
    });
    expect(found).toEqual([]);
  });
});
