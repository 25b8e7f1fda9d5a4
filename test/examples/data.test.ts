import { describe, expect, it } from 'vitest';
import { makeRows, type Row } from '../../examples/platform/data/index.ts';
import { sourceTables } from '../../examples/platform/tables.ts';
import { printed, printedCount } from '../support/chapter.ts';

const tables = makeRows({ withdrawn: false });
const rowsOf = (table: string): readonly Row[] => tables.get(table)!;
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const ofLearner = (table: string, learner: number): readonly Row[] =>
  rowsOf(table).filter(({ learner_id }) => learner_id === learner);

describe('the data of the example platform', () => {
  it('are the same every time', () => {
    expect(makeRows({ withdrawn: false })).toEqual(tables);
  });

  it('differ by one value once learner 3590 has withdrawn', () => {
    const after = makeRows({ withdrawn: true });
    const changed = rowsOf('crm.learners').flatMap((row, index) => {
      const now = after.get('crm.learners')![index]!;
      return Object.keys(row)
        .filter((column) => row[column] !== now[column])
        .map((column) => [row.learner_id, column]);
    });
    expect(changed).toEqual([[3590, 'marketing_consent']]);
  });

  it.each([
    ['learning.events', 'occurred_at', '2026-10-01'],
    ['learning.events', 'occurred_at', '2026-12-30'],
    ['support.tickets', 'opened_at', '2026-10-01'],
    ['support.tickets', 'opened_at', '2026-12-30'],
    ['billing.payments', 'paid_at', '2026-10-01'],
    ['billing.payments', 'paid_at', '2026-12-30'],
  ])('hold as many old rows of %s by %s as the chapter counts on %s', (table, date, day) => {
    const keptFrom = startOf(printed('retention-rules-due', `${table} on ${day}, kept from`));
    const old = rowsOf(table).filter(
      (row) => Number(row[date]) < keptFrom && (table !== 'support.tickets' || row.status === 'closed'),
    );
    expect(old).toHaveLength(printedCount('retention-rules-due', `${table} on ${day}, rows due`));
    expect(rowsOf(table)).toHaveLength(
      printedCount('retention-rules-due', `${table} on ${day}, rows in the table`),
    );
  });

  it.each(['2025-10-01', '2025-12-30'])(
    'hold events in the first and the last millisecond around %s',
    (day) => {
      const instants = new Set(rowsOf('learning.events').map(({ occurred_at }) => occurred_at));
      expect([startOf(day) - 1, startOf(day)].map((instant) => instants.has(instant))).toEqual([true, true]);
    },
  );

  it('hold as many learners that marketing may write to as the chapter counts', () => {
    const reachable = (learners: readonly Row[]): number =>
      learners.filter((row) => row.marketing_consent === true && row.status === 'active').length;
    expect(reachable(rowsOf('crm.learners'))).toBe(
      printedCount('consent-withdrawal', 'before, learners marketing sees'),
    );
    expect(reachable(makeRows({ withdrawn: true }).get('crm.learners')!)).toBe(
      printedCount('consent-withdrawal', 'after the withdrawal, learners marketing sees'),
    );
  });

  it('hold as many rows of learner 3590 as the chapter deletes and keeps', () => {
    for (const table of [
      'crm.learners',
      'learning.enrollments',
      'learning.events',
      'learning.reviews',
      'support.tickets',
    ]) {
      expect(ofLearner(table, 3590), table).toHaveLength(
        printedCount('erase-learner', `${table}, rows deleted`),
      );
    }
    expect(ofLearner('learning.reviews', 3590).map(({ review_id }) => review_id)).toEqual([1199]);
    const payments = ofLearner('billing.payments', 3590);
    expect(payments).toHaveLength(printedCount('erase-learner', "billing.payments, the learner's rows kept"));
    expect(payments.map(({ card_number }) => typeof card_number)).toEqual(['string', 'string']);
  });

  it('begin and end, by email, with the two that the chapter finds in a manifest', () => {
    const byEmail = rowsOf('crm.learners').toSorted((a, b) => (String(a.email) < String(b.email) ? -1 : 1));
    const [first, last] = [byEmail[0]!, byEmail.at(-1)!];
    const largest = String(last.email);
    const raised = `${largest.slice(0, 15)}${String.fromCharCode(largest.charCodeAt(15) + 1)}`;
    expect(`${String(first.email).slice(0, 16)} to ${raised}`).toBe(
      printed('sweep-unreferenced-files', 'crm.learners, manifest entry with status 2, email bounds'),
    );
    expect([first.learner_id, last.learner_id]).toEqual([3590, 4998]);
  });

  it('give learner 3590 the values whose beginnings the chapter searches for', () => {
    const [row] = ofLearner('crm.learners', 3590);
    const traces = [row!.phone, row!.street_address, row!.full_name, row!.email].map((value) =>
      String(value).slice(0, 15).toLowerCase(),
    );
    const masked = traces.map((text) => text.replace(/^\d{3}-\d{3}-(\d{4}) x\d$/, '•••-•••-$1 x•'));
    expect(masked.join(', ')).toBe(
      printed('erasure-plan', "the learner's identifying values, as the scan searches for them"),
    );
  });

  it.each([3590, 4998])('hold the beginnings of the values of learner %i nowhere else', (learner) => {
    const [person] = ofLearner('crm.learners', learner);
    const values = [
      ...['full_name', 'email', 'phone', 'street_address'].map((column) => person![column]),
      ...ofLearner('billing.payments', learner).map(({ card_number }) => card_number),
    ].filter((value) => value !== null);
    const traces = [...new Set(values.map((value) => String(value).slice(0, 15).toLowerCase()))];
    expect(traces.length).toBeGreaterThan(3);
    const elsewhere = [...tables].flatMap(([table, rows]) =>
      rows
        .filter((row) => row.learner_id !== learner || !['crm.learners', 'billing.payments'].includes(table))
        .flatMap((row) => Object.values(row).filter((value) => typeof value === 'string'))
        .filter((value) => traces.some((trace) => value.toLowerCase().includes(trace))),
    );
    expect(elsewhere).toEqual([]);
  });

  it('are of one piece: ids exist, and nobody does anything in a course before they are enrolled', () => {
    const enrolled = new Map(
      rowsOf('learning.enrollments').map((row) => [
        `${row.learner_id} ${row.course_id}`,
        Number(row.enrolled_at),
      ]),
    );
    const enrolledAt = (row: Row): number => enrolled.get(`${row.learner_id} ${row.course_id}`) ?? Infinity;
    const early = (table: string, date: string): readonly Row[] =>
      rowsOf(table).filter((row) => row.course_id !== null && enrolledAt(row) > Number(row[date]));
    expect(early('learning.events', 'occurred_at')).toEqual([]);
    expect(early('learning.reviews', 'written_at')).toEqual([]);
    expect(early('billing.payments', 'paid_at')).toEqual([]);
    const learners = rowsOf('crm.learners');
    const strangers = rowsOf('support.tickets').filter(
      (row) => Number(learners[Number(row.learner_id) - 1]!.signed_up_at) >= Number(row.opened_at),
    );
    expect(strangers).toEqual([]);
  });

  it('fill exactly the columns of their tables, and leave gaps where real data has them', () => {
    const gaps: string[] = [];
    for (const [table, columns] of Object.entries(sourceTables)) {
      const names = columns.map(({ name }) => name).sort();
      for (const row of rowsOf(table)) expect(Object.keys(row).sort()).toEqual(names);
      gaps.push(
        ...names
          .filter((name) => rowsOf(table).some((row) => row[name] === null))
          .map((name) => `${table}.${name}`),
      );
    }
    expect(gaps).toEqual([
      'crm.learners.ai_training_consent',
      'crm.learners.date_of_birth',
      'crm.learners.marketing_consent',
      'crm.learners.notes',
      'crm.learners.phone',
      'crm.learners.street_address',
      'learning.enrollments.completed_at',
      'learning.enrollments.progress',
      'learning.events.course_id',
      'learning.events.ip_address',
      'learning.events.seconds',
      'learning.events.user_agent',
      'learning.reviews.comment',
      'support.tickets.message',
      'billing.payments.card_number',
    ]);
  });
});
