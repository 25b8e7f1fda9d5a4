import { beforeAll, describe, expect, test } from 'vitest';
import { RefusedError } from '../../../src/errors.ts';
import { noteTraces, type Traces } from '../../../src/scan/index.ts';
import { tryNoteTraces } from '../../../src/scan/note/note-traces.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Lake, makeLake, PERSON } from '../support/lake.ts';
import { long } from '../support/sought.ts';

const folder = temporaryFolder();

async function traced(lake: Lake): Promise<Traces> {
  return noteTraces({ ...lake, bound: await lake.bind() });
}

describe('noteTraces', () => {
  let lake: Lake;
  beforeAll(async () => {
    lake = await makeLake(folder);
  });

  test('S1: notes identifying values and values to be cleared, folded and cut', async () => {
    const texts = (await traced(lake)).texts.reveal();
    expect(texts.map(({ text }) => text).sort()).toEqual(
      ['+49 170 1234567', '4111-1111-1111-', 'zoë haase', "zoë.o'haase%_@"].sort(),
    );
    expect(texts.every(({ shared, wholeCell }) => !shared && !wholeCell)).toBe(true);
  });

  test('S2: notes ids for every declared column, and bridge values where they were taken from and where they are deleted', async () => {
    const ids = (await traced(lake)).ids.reveal();
    expect(ids).toContainEqual({
      table: null,
      columns: ['learner_id'],
      values: [[long(PERSON.id)]],
      expectedIn: ['billing.payments'],
      shared: false,
    });
    for (const table of ['ai.corpus', 'learning.reviews']) {
      expect(ids).toContainEqual(
        expect.objectContaining({ table, columns: ['review_id'], values: [[long(PERSON.review)]] }),
      );
    }
    expect(ids.some(({ table }) => table === 'billing.payments')).toBe(false);
  });

  test('S1: a value that is no text is noted typed for its column and as text; S3: shared where others have it', async () => {
    const dated = await makeLake(folder, { identifying: ['email', 'born'] });
    const traces = await traced(dated);
    expect(traces.texts.reveal()).toContainEqual({ text: '1990-05-17', wholeCell: false, shared: true });
    expect(traces.ids.reveal()).toContainEqual({
      table: 'crm.learners',
      columns: ['born'],
      values: [[{ type: 'date', value: '1990-05-17' }]],
      expectedIn: [],
      shared: true,
    });
  });

  test("S3: a namesake's value, and one that holds the trace, make it shared", async () => {
    const namesakes = await makeLake(folder, {
      more: {
        'crm.learners': [
          {
            learner_id: 7,
            full_name: 'ZOE\u0308 HAASE',
            email: 'other@example.org',
            phone: null,
            born: null,
          },
          {
            learner_id: null,
            full_name: null,
            email: `x.${PERSON.email.toLowerCase()}.net`,
            phone: null,
            born: null,
          },
        ],
      },
    });
    const shared = new Map(
      (await traced(namesakes)).texts.reveal().map((trace) => [trace.text, trace.shared]),
    );
    expect(shared.get('zoë haase')).toBe(true);
    expect(shared.get("zoë.o'haase%_@")).toBe(true);
    expect(shared.get('+49 170 1234567')).toBe(false);
  });

  test('S1: the smallest truncation in force says how much is noted', async () => {
    const cut = await makeLake(folder, { properties: { 'write.metadata.metrics.default': 'truncate(10)' } });
    const texts = (await traced(cut)).texts.reveal().map(({ text }) => text);
    expect(texts).toContain('4111-1111');
    expect(texts).toContain('+49 170 1');
  });

  test('S1: bounds of fewer than eight characters on an identifying column are refused, with what to set', async () => {
    const short = await makeLake(folder, {
      properties: {
        'write.metadata.metrics.column.email': 'truncate(7)',
        'write.metadata.metrics.column.born': 'truncate(2)',
      },
    });
    const failure = await traced(short).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RefusedError);
    expect(failure).toMatchObject({
      code: 'scan/bounds-too-short',
      data: { tables: ['crm.learners'] },
    });
    expect(String(failure)).toContain('bounds of email keep fewer than 8 characters');
    const { remedy } = failure as RefusedError;
    expect(remedy).toContain('write.metadata.metrics.column.email to none');
  });

  test('S1: every such column is a refusal of its own for who gathers all, beside traces as long as can be', async () => {
    const mode = 'truncate(3)';
    const short = await makeLake(folder, {
      properties: { 'write.metadata.metrics.column.email': mode, 'write.metadata.metrics.column.card': mode },
    });
    const { refusals, traces } = await tryNoteTraces({ ...short, bound: await short.bind() });
    expect(refusals.map(({ table, code }) => [table, code])).toEqual([
      ['crm.learners', 'bounds-too-short'],
      ['billing.payments', 'bounds-too-short'],
    ]);
    expect(traces.texts.reveal().map(({ text }) => text)).toContain('4111-11');
  });

  test('serialises to counts', async () => {
    expect(JSON.parse(JSON.stringify(await traced(lake)))).toEqual({ subject: 'learner', ids: 2, texts: 4 });
  });
});
