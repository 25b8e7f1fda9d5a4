import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planFor } from '../../examples/erasure.ts';
import { governanceFolder, makePlatform, type Platform } from '../../examples/platform/index.ts';
import { loadCases, runCases } from '../../src/erasure/index.ts';
import { printed, printedCount } from '../support/chapter.ts';

const dir = mkdtempSync(join(tmpdir(), 'lethe-platform-'));
let platform: Platform;

beforeAll(async () => {
  platform = await makePlatform({ dir });
});

afterAll(async () => {
  await platform.close();
  rmSync(dir, { recursive: true, force: true });
});

/** What a query gives when another engine reads the tables' files, `{crm.learners}` standing for the files of a table. */
async function query(sql: string): Promise<readonly (readonly DuckDBValue[])[]> {
  const files = (table: string): string =>
    `read_parquet('${join(dir, 'warehouse', ...table.split('.'), 'data', '*.parquet')}')`;
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    const reader = await connection.runAndReadAll(
      sql.replace(/\{([\w.]+)\}/g, (_, table: string) => files(table)),
    );
    return reader.getRows();
  } finally {
    connection.closeSync();
  }
}

/** Rows of `left` that `right` has not, and the other way round, duplicates counted. */
async function differences(left: string, right: string): Promise<readonly (readonly DuckDBValue[])[]> {
  return query(`((${left}) EXCEPT ALL (${right})) UNION ALL ((${right}) EXCEPT ALL (${left}))`);
}

describe('the example platform', () => {
  it('has twelve tables, each with one snapshot and nothing that keeps an erasure from it', async () => {
    const tables = await platform.warehouse.list();
    expect(tables).toHaveLength(12);
    for (const table of tables) {
      const { snapshots, refusals, formatVersion, refs } = await platform.warehouse.describe(table);
      expect({
        table,
        snapshots: snapshots.length,
        refusals,
        formatVersion,
        refs: refs.map(({ name }) => name),
      }).toEqual({
        table,
        snapshots: 1,
        refusals: [],
        formatVersion: 2,
        refs: ['main'],
      });
    }
  });

  it('holds what its generator made, as another engine reads it', async () => {
    const counts = await query(`SELECT
      (SELECT count(*) FROM {crm.learners}), (SELECT count(*) FROM {learning.events}),
      (SELECT count(*) FROM {support.tickets}), (SELECT count(*) FROM {billing.payments}),
      (SELECT count(*) FROM {crm.learners} WHERE marketing_consent AND status = 'active'),
      (SELECT count(*) FROM {learning.events} WHERE occurred_at < TIMESTAMPTZ '2025-10-01 00:00:00+00')`);
    const rows = (table: string): number =>
      printedCount('retention-rules-due', `${table} on 2026-10-01, rows in the table`);
    expect(counts[0]!.map(Number)).toEqual([
      printedCount('consent-withdrawal', 'before, rows stored in crm.learners'),
      rows('learning.events'),
      rows('support.tickets'),
      rows('billing.payments'),
      printedCount('consent-withdrawal', 'after the withdrawal, learners marketing sees'),
      printedCount('retention-rules-due', 'learning.events on 2026-10-01, rows due'),
    ]);
  });

  it('builds learner_activity as its SQL says', async () => {
    const sql = `
      SELECT l.learner_id, l.country, l.signed_up_at, coalesce(n.enrollments, 0), coalesce(e.events, 0), e.last_active_at
      FROM {crm.learners} l
      LEFT JOIN (SELECT learner_id, count(enrollment_id) AS enrollments FROM {learning.enrollments} GROUP BY ALL) n USING (learner_id)
      LEFT JOIN (SELECT learner_id, count(event_id) AS events, max(occurred_at) AS last_active_at
                 FROM {learning.events} GROUP BY ALL) e USING (learner_id)`;
    expect(await differences(sql, 'FROM {analytics.learner_activity}')).toEqual([]);
  });

  it('builds course_performance as its SQL says', async () => {
    const sql = `
      SELECT c.course_id, c.title, coalesce(n.enrollments, 0), coalesce(n.completions, 0), coalesce(e.events, 0), r.average_rating
      FROM {learning.courses} c
      LEFT JOIN (SELECT course_id, count(enrollment_id) AS enrollments, count(completed_at) AS completions
                 FROM {learning.enrollments} GROUP BY ALL) n USING (course_id)
      LEFT JOIN (SELECT course_id, count(event_id) AS events FROM {learning.events} GROUP BY ALL) e USING (course_id)
      LEFT JOIN (SELECT course_id, avg(rating) AS average_rating FROM {learning.reviews} GROUP BY ALL) r USING (course_id)`;
    expect(await differences(sql, 'FROM {analytics.course_performance}')).toEqual([]);
  });

  it('builds the marketing audience as its SQL says, without a learner who withdrew', async () => {
    const sql = `
      SELECT l.learner_id, l.full_name, l.email, l.country, string_agg(DISTINCT c.subject, ', ' ORDER BY c.subject), max(n.enrolled_at)
      FROM {crm.learners} l JOIN {learning.enrollments} n USING (learner_id) JOIN {learning.courses} c USING (course_id)
      WHERE l.marketing_consent AND l.status = 'active'
      GROUP BY l.learner_id, l.full_name, l.email, l.country`;
    expect(await differences(sql, 'FROM {marketing.audience}')).toEqual([]);
    expect(await query('SELECT count(*) FROM {marketing.audience} WHERE learner_id = 3590')).toEqual([
      [BigInt(printed('erasure-plan', "the learner's rows in marketing.audience"))],
    ]);
  });

  it('builds the review corpus as its SQL says', async () => {
    const sql = `
      SELECT r.review_id, c.title, r.rating, r.comment
      FROM {learning.reviews} r JOIN {crm.learners} l USING (learner_id) JOIN {learning.courses} c USING (course_id)
      WHERE l.ai_training_consent AND r.comment IS NOT NULL`;
    expect(await differences(sql, 'FROM {ai.review_corpus}')).toEqual([]);
  });

  it('passes its policy cases', async () => {
    const cases = await loadCases(join(governanceFolder, 'cases'));
    const { governance } = platform;
    const results = await runCases({ governance, cases, plan: (subject) => planFor(platform, subject) });
    expect(results.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['retention', 'consent', 'plan']));
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
  });

  it('reports every run to its end, with an edge into every column of every table that a pipeline builds', async () => {
    const { writes, edges, skipped, datasets } = await platform.lineage();
    expect(skipped).toEqual([]);
    expect(datasets.filter(({ table }) => table === null)).toEqual([]);
    expect(writes.map(({ table, ended, replaces }) => [table, ended, replaces]).sort()).toEqual([
      ['ai.review_corpus', 'complete', 'all'],
      ['analytics.course_performance', 'complete', 'all'],
      ['analytics.learner_activity', 'complete', 'all'],
      ['marketing.audience', 'complete', 'all'],
    ]);
    for (const { table } of writes) {
      const { columns } = await platform.warehouse.describe(table);
      const reached = new Set(edges.filter(({ to }) => to.table === table).map(({ to }) => to.column));
      expect(
        columns.map(({ name }) => name).filter((name) => !reached.has(name)),
        table,
      ).toEqual([]);
    }
  });
});
