import type { Step } from '../../../src/erasure/plan/index.ts';
import type { Planner } from './planned.ts';

/** The rule that many would write first: a column that is an IDENTITY of a key is a key, and its table is deleted by it. */
export const naivePlanner: Planner = (lineage, tables) => {
  const keys = new Map<string, string>();
  for (const { table, columns } of tables)
    if (!table.startsWith('mart.') && columns.some(({ name }) => name === 'learner_id'))
      keys.set(table, 'learner_id');
  const { edges } = lineage;
  for (let grown = true; grown; ) {
    grown = false;
    for (const { from, to, roles } of edges) {
      if (keys.has(to.table) || keys.get(from.table) !== from.column || !roles.includes('identity')) continue;
      keys.set(to.table, to.column);
      grown = true;
    }
  }
  const known = new Set(tables.map(({ table }) => table));
  const steps = [...keys]
    .filter(([table]) => known.has(table))
    .map(
      ([table, column]): Step => ({
        table,
        action: 'delete',
        match: [{ columns: [column], copyOf: null, values: { from: 'subject' } }],
        column,
        copyOf: null,
        clear: [],
        job: null,
        reason: null,
        decidedBy: null,
        causes: [],
        probe: [],
        why: 'an identity of the key',
      }),
    );
  return {
    schemaVersion: 1,
    subject: 'learner',
    digest: '',
    steps,
    unmapped: [],
    unaccounted: [],
    findings: [],
  };
};
