import { DateDay, Table, TimestampMicrosecond, Utf8, vectorFromArray } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { applyRetention, dueRows, expireByAge } from '../../src/retention/index.ts';
import { ArrowWarehouse } from '../support/arrow-warehouse.ts';
import { governed } from './rules.ts';

const day = '2026-10-01';
const governance = governed(`
[tables."support.tickets"]
keep_days = 730
counted_from = "opened_at"
only_when = { column = "status", equals = "closed" }

[[tables."crm.notes"]]
keep = "P2Y"
counted_from = "written_on"
format = "dd.MM.yyyy"

[[tables."crm.notes"]]
keep_days = 30
counted_from = "read_on"
`);

function warehouse(): ArrowWarehouse {
  const instants = (...days: (string | null)[]) =>
    vectorFromArray(
      days.map((one) => (one === null ? null : Date.parse(one))),
      new TimestampMicrosecond('UTC'),
    );
  return new ArrowWarehouse({
    'support.tickets': {
      columns: { opened_at: 'timestamptz', status: 'string' },
      rows: new Table({
        opened_at: instants('2024-09-30', '2024-10-01', '2020-01-01', null, '2023-05-05'),
        status: vectorFromArray(['closed', 'closed', 'open', 'closed', 'closed'], new Utf8()),
      }),
    },
    'crm.notes': {
      columns: { written_on: 'string', read_on: 'date' },
      rows: new Table({
        // As text, 31.12.2025 is after 01.10.2024 and 30.09.2024 before it only by luck; 31.02.2020 is no day.
        written_on: vectorFromArray(
          ['30.09.2024', '01.10.2024', '31.12.2019', '31.02.2020', null],
          new Utf8(),
        ),
        read_on: vectorFromArray([null, null, null, null, Date.parse('2026-08-01')], new DateDay()),
      }),
    },
  });
}

describe('what is due', () => {
  test('R4: rows without a date are never due and are counted, text that is no day too', async () => {
    const { tables } = await dueRows({ warehouse: warehouse().port, governance, day });
    expect(tables).toEqual([
      {
        table: 'crm.notes',
        rule: 'crm.notes',
        keptFrom: '2024-10-01',
        rows: 5,
        due: 2,
        undated: 2,
        held: null,
      },
      {
        table: 'crm.notes',
        rule: 'crm.notes#2',
        keptFrom: '2026-09-01',
        rows: 5,
        due: 1,
        undated: 4,
        held: null,
      },
      {
        table: 'support.tickets',
        rule: 'support.tickets',
        keptFrom: '2024-10-01',
        rows: 5,
        due: 2,
        undated: 1,
        held: null,
      },
    ]);
  });

  test('changes nothing', async () => {
    const lake = warehouse();
    await dueRows({ warehouse: lake.port, governance, day });
    expect(lake.commits).toEqual([]);
  });
});

describe('R5: applying', () => {
  test('R5: one commit for each rule that has due rows, which names the rule and the day', async () => {
    const lake = warehouse();
    const applied = await applyRetention({ warehouse: lake.port, governance, day });
    expect(applied.tables.map(({ rule, deleted }) => [rule, deleted])).toEqual([
      ['crm.notes', 2],
      ['crm.notes#2', 1],
      ['support.tickets', 2],
    ]);
    expect(lake.commits).toEqual([
      { table: 'crm.notes', note: { 'retention-rule': 'crm.notes', 'retention-day': day } },
      { table: 'crm.notes', note: { 'retention-rule': 'crm.notes#2', 'retention-day': day } },
      { table: 'support.tickets', note: { 'retention-rule': 'support.tickets', 'retention-day': day } },
    ]);
    expect(applied.tables[2]!.snapshotId).toBe('9007199254740994');
  });

  test('R5: run again for the same day it changes nothing and commits nothing', async () => {
    const lake = warehouse();
    await applyRetention({ warehouse: lake.port, governance, day });
    const again = await applyRetention({ warehouse: lake.port, governance, day });
    expect(again.tables.map(({ deleted }) => deleted)).toEqual([0, 0, 0]);
    expect(lake.commits).toHaveLength(3);
  });

  test('R5: a run that stopped half-way says what is done, and is finished by running it again', async () => {
    const lake = warehouse();
    lake.broken.add('support.tickets');
    await expect(applyRetention({ warehouse: lake.port, governance, day })).rejects.toMatchObject({
      code: 'retention/stopped',
      kind: 'failed',
      data: { rule: 'support.tickets', applied: ['crm.notes', 'crm.notes#2'] },
    });
    lake.broken.clear();
    await applyRetention({ warehouse: lake.port, governance, day });
    expect(lake.commits.at(-1)!.table).toBe('support.tickets');
  });

  test('rules that do not fit their tables are told all at once, before anything is deleted', async () => {
    const lake = warehouse();
    const misfits = governed(`
[tables."support.tickets"]
keep_days = 730
counted_from = "opened"

[tables."crm.notes"]
keep_days = 1
counted_from = "written_on"

[tables."crm.lost"]
keep_days = 1
counted_from = "x"
`);
    const failed = applyRetention({ warehouse: lake.port, governance: misfits, day });
    await expect(failed).rejects.toMatchObject({ code: 'retention/rules-and-tables', kind: 'input' });
    await expect(failed).rejects.toThrowError(
      /retention\.toml:10:9 crm\.lost: the warehouse has no such table/,
    );
    await expect(failed).rejects.toThrowError(/retention\.toml:6:9 crm\.notes: Column "written_on" is text/);
    await expect(failed).rejects.toThrowError(
      /retention\.toml:2:9 support\.tickets: There is no column "opened"/,
    );
    expect(lake.commits).toEqual([]);
  });

  test('a condition on a column that is not there is a misfit too', async () => {
    const misfit = governed(
      '[tables."crm.notes"]\nkeep_days = 1\ncounted_from = "read_on"\nonly_when = { column = "state", is_null = true }',
    );
    await expect(dueRows({ warehouse: warehouse().port, governance: misfit, day })).rejects.toThrowError(
      /no column "state"/,
    );
  });
});

describe('R9: expiry by age', () => {
  const rows = new Table({ x: vectorFromArray([1]) });
  const instant = Date.parse('2026-10-07T00:00:00Z');
  const lake = (properties: Readonly<Record<string, string>>) =>
    new ArrowWarehouse({ 'crm.learners': { columns: { x: 'int' }, rows, properties } });
  const table = 'crm.learners';

  test('R9: five days and one snapshot where the table says nothing', async () => {
    const warehouse = lake({});
    await expireByAge({ warehouse: warehouse.port, table, instant });
    expect(warehouse.expired).toEqual([
      { table, options: { olderThan: Date.parse('2026-10-02T00:00:00Z'), minToKeep: 1, files: 'delete' } },
    ]);
  });

  test('R9: the table’s own age and number', async () => {
    const warehouse = lake({
      'history.expire.max-snapshot-age-ms': '3600000',
      'history.expire.min-snapshots-to-keep': '3',
    });
    await expireByAge({ warehouse: warehouse.port, table, instant });
    expect(warehouse.expired[0]!.options).toEqual({
      olderThan: instant - 3_600_000,
      minToKeep: 3,
      files: 'delete',
    });
  });

  test('R9: a table with garbage collection off is refused, and nothing asked of it', async () => {
    const warehouse = lake({ 'gc.enabled': 'false' });
    await expect(expireByAge({ warehouse: warehouse.port, table, instant })).rejects.toMatchObject({
      code: 'retention/gc-disabled',
      kind: 'refused',
    });
    expect(warehouse.expired).toEqual([]);
    await expireByAge({ warehouse: lake({ 'gc.enabled': 'TRUE' }).port, table, instant });
  });

  test('a setting that is no number is refused, not guessed', async () => {
    const warehouse = lake({ 'history.expire.max-snapshot-age-ms': 'five days' });
    await expect(expireByAge({ warehouse: warehouse.port, table, instant })).rejects.toMatchObject({
      code: 'retention/property',
    });
  });
});
