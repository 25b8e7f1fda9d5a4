import { Table, TimestampMicrosecond, vectorFromArray } from 'apache-arrow';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { compileSql, type Dialect, evaluate } from '../../src/predicate/index.ts';
import { cutoff, due } from '../../src/retention/index.ts';
import { ruleOf } from './rules.ts';

const ticketRule = () =>
  ruleOf(
    'keep_days = 730',
    'counted_from = "opened_at"',
    'only_when = { column = "status", equals = "closed" }',
  );

const tickets = new Table({
  opened_at: vectorFromArray(
    [
      '2024-09-30T23:59:59.999Z',
      '2024-10-01T00:00:00Z',
      '2020-01-01T00:00:00Z',
      '2020-01-01T00:00:00Z',
      null,
    ].map((at) => (at === null ? null : Date.parse(at))),
    new TimestampMicrosecond('UTC'),
  ),
  status: vectorFromArray(['closed', 'closed', 'open', null, 'closed']),
});

describe('R8: due is a predicate', () => {
  test('R2: a row is due when its date is before the cutoff and only_when holds', () => {
    expect(evaluate(due(ticketRule(), '2026-10-01'), tickets)).toEqual([true, false, false, false, false]);
    expect(evaluate(due(ticketRule(), '2026-10-02'), tickets)).toEqual([true, true, false, false, false]);
  });

  test('is plain data', () => {
    const predicate = due(ticketRule(), '2026-10-01');
    expect(JSON.parse(JSON.stringify(predicate))).toEqual(predicate);
  });

  test('an instant falls on the day of the rule’s zone', () => {
    const at = new Table({
      at: vectorFromArray([Date.parse('2026-09-30T22:30:00Z')], new TimestampMicrosecond('UTC')),
    });
    const zoned = ruleOf('keep_days = 1', 'counted_from = "at"', 'time_zone = "Europe/Berlin"');
    const utc = ruleOf('keep_days = 1', 'counted_from = "at"');
    // In Berlin the row is of 1 October, in UTC of 30 September.
    expect(evaluate(due(zoned, '2026-10-02'), at)).toEqual([false]);
    expect(evaluate(due(utc, '2026-10-02'), at)).toEqual([true]);
  });
});

describe('R1: no clock', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('R1: rules are read, cut off, evaluated and compiled with Date, performance and Temporal throwing', () => {
    const rules = [
      ticketRule(),
      ruleOf('keep = "P1M"', 'counted_from = "opened_at"', 'time_zone = "America/Sao_Paulo"'),
      ruleOf(
        'keep = "P10Y"',
        'counted_from = "status"',
        'format = "dd-MM-yyyy"',
        'counted_from_end_of = "quarter"',
      ),
    ];
    const columns = [
      { name: 'opened_at', path: ['opened_at'], type: 'timestamptz' },
      { name: 'status', path: ['status'], type: 'string' },
    ];
    stubClocks();
    for (const rule of rules) {
      cutoff(rule, '2026-10-01');
      evaluate(due(rule, '2026-10-01'), tickets);
      compileSql(due(rule, '2026-10-01'), 'duckdb', { columns });
    }
    expect(() => new Date()).toThrowError('a clock was read');
    expect(() => Date.now()).toThrowError('a clock was read');
  });

  test('R1: the SQL of a rule asks no engine for the present', () => {
    for (const dialect of ['duckdb', 'spark', 'trino', 'databricks', 'postgres'] satisfies Dialect[]) {
      const sql = compileSql(due(ticketRule(), '2026-10-01'), dialect);
      expect(sql).not.toMatch(/now|current_|today|getdate|localtime/i);
      expect(sql).toContain("DATE '2024-10-01'");
    }
  });
});

function stubClocks(): void {
  const refuse = () => {
    throw new Error('a clock was read');
  };
  const clock = new Proxy(function Clock() {}, { get: refuse, apply: refuse, construct: refuse });
  for (const name of ['Date', 'performance', 'Temporal']) vi.stubGlobal(name, clock);
}
