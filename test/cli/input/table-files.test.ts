import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Workspace, workspaceIn } from '../workspace.ts';

const RULES = `
[tables."support.tickets"]
keep_days = 730
counted_from = "opened_at"
only_when = { column = "status", equals = "closed" }
[tables."learning.events"]
keep_days = 365
counted_from = "day"
`;

let workspace: Workspace;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-files-'));
  workspace = workspaceIn(dir);
  await writeFile(join(dir, 'lethe.toml'), 'governance = "."\n');
  await writeFile(join(dir, 'retention.toml'), RULES);
  const connection = await (await DuckDBInstance.create()).connect();
  // One due, one that is open, one a moment too young, one without a date.
  await connection.run(`COPY (SELECT * FROM (VALUES
      (TIMESTAMPTZ '2024-09-30 23:59:59.999999+00', 'closed'), (TIMESTAMPTZ '2024-01-01 00:00:00+00', 'open'),
      (TIMESTAMPTZ '2024-10-01 00:00:00+00', 'closed'), (NULL, 'closed')) AS rows(opened_at, status))
    TO '${dir}/it''s-tickets.parquet'`);
  connection.closeSync();
  await writeFile(join(dir, 'events.csv'), 'id,day\n1,2025-09-30\n2,2025-10-01\n3,\n');
  await writeFile(join(dir, 'events.ndjson'), '{"id":1,"day":"2025-09-30"}\n{"id":2,"day":"2026-01-01"}\n');
});

const due = (file: string) => workspace.json(`due --day 2026-10-01 --file ${file}`);

describe('lethe due --file', () => {
  test('counts in a Parquet file as it would in the table', async () => {
    const read = await due("support.tickets=it's-tickets.parquet");
    expect(read).toMatchObject({
      exit: 0,
      document: {
        tables: [
          { table: 'support.tickets', keptFrom: '2024-10-01', rows: 4, due: 1, undated: 1, held: null },
        ],
      },
    });
  });

  test.each([
    ['events.csv', { rows: 3, due: 1, undated: 1 }],
    ['events.ndjson', { rows: 2, due: 1, undated: 0 }],
  ])('counts in %s', async (file, counts) => {
    const { document } = await due(`learning.events=${file}`);
    expect(document.tables).toMatchObject([{ table: 'learning.events', ...counts }]);
  });

  test.each([
    ['tickets.parquet', 'cli/table-file', 2],
    ['support.tickets=tickets.xlsx', 'cli/table-file', 2],
    ['crm.learners=events.csv', 'cli/no-rule', 2],
    ['support.tickets=events.csv', 'retention/rules-and-tables', 2],
    ['support.tickets=gone.parquet', 'cli/unreadable-table-file', 4],
  ])('refuses %s by %s', async (file, code, exit) => {
    expect(await due(file)).toMatchObject({ exit, document: { error: { code } } });
  });
});
