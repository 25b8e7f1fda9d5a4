import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { type Plan, planErasure } from '../../../src/erasure/plan/index.ts';
import { loadGovernance, parseGovernance } from '../../../src/governance/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import { runEvents } from '../../support/openlineage.ts';
import { platformEvents, platformJobs, platformTables } from './platform.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const governance = await loadGovernance(join(import.meta.dirname, '../../../governance'));

async function plan(events: readonly unknown[]): Promise<Plan> {
  const lineage = await readLineage({ from: [events], names: governance.names });
  return planErasure({ governance, lineage, tables: platformTables, subject: 'learner' });
}

/** What the platform declares, with every name put through `rename`. */
function declared(rename: (name: string) => string): Record<string, string> {
  const quoted = (name: string): string => JSON.stringify(rename(name));
  const keys = {
    'learning.enrollments': 'enrollment_id',
    'learning.reviews': 'review_id',
    'crm.learners': 'learner_id',
  };
  return {
    'retention.toml': `
[tables.${quoted('billing.payments')}]
keep_days = 10
counted_from = ${quoted('paid_at')}
[erasure.subjects.learner]
id_type = "long"
id_columns = [${quoted('learner_id')}]
identifying = []
[erasure.exceptions.${quoted('billing.payments')}]
reason = "a test"
decided_by = "nobody"
erase_columns = [${quoted('card_number')}]
`,
    'metadata.toml': Object.entries(keys)
      .map(([table, key]) => `[tables.${quoted(table)}]\nkey = [${quoted(key)}]\n`)
      .join('\n'),
    'lineage.toml': `[sources]\n${platformTables
      .slice(0, 8)
      .map(({ table }) => `${quoted(table)} = "a test"`)
      .join('\n')}\n`,
  };
}

async function renamed(rename: (name: string) => string): Promise<Plan> {
  const parsed = parseGovernance(declared(rename));
  const column = (path: string): string => {
    const dot = path.lastIndexOf('.');
    return `${rename(path.slice(0, dot))}.${rename(path.slice(dot + 1))}`;
  };
  const from = (source: string | readonly [string, ...unknown[]]) =>
    typeof source === 'string' ? column(source) : [column(source[0]), ...source.slice(1)];
  const runs = platformJobs.map((run) => ({
    ...run,
    output: rename(run.output),
    columns: Object.fromEntries(
      Object.entries(run.columns!).map(([name, sources]) => [rename(name), sources.map(from)]),
    ),
    rows: run.rows!.map(from),
  }));
  const events = runs.flatMap((run) => runEvents(run as (typeof platformJobs)[number]));
  const lineage = await readLineage({ from: [events], names: parsed.names });
  const tables = platformTables.map(({ table, columns }) => ({
    table: rename(table),
    columns: columns.map(({ name, type }) => ({
      name: rename(name),
      ...(type === undefined ? {} : { type }),
    })),
  }));
  return planErasure({ governance: parsed, lineage, tables, subject: 'learner' });
}

test('a plan never knows the example’s names: every table and column renamed at random gives the same plan renamed', async () => {
  const original = await renamed((name) => name);
  expect(original.steps).toHaveLength(10);
  const names = new Set(
    platformTables.flatMap(({ table, columns }) => [table, ...columns.map(({ name }) => name)]),
  );
  const fresh = fc
    .stringMatching(/^[a-zA-Zé_][a-zA-Z0-9_é $-]{2,12}$/)
    .filter((name) => name.trim() === name);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fresh, {
        minLength: names.size,
        maxLength: names.size,
        selector: (name) => name.toLowerCase(),
      }),
      async (made) => {
        const to = new Map(
          [...names].map((name, at) => [name, name.includes('.') ? `ns.${made[at]}` : made[at]!]),
        );
        const back = new Map([...to].map(([name, other]) => [other, name]));
        const other = await renamed((name) => to.get(name) ?? name);
        const restore = (text: string): string => back.get(text) ?? text;
        const path = (text: string | null): string | null => {
          if (text === null) return null;
          const dot = text.lastIndexOf('.');
          return `${restore(text.slice(0, dot))}.${restore(text.slice(dot + 1))}`;
        };
        const steps = other.steps.map((step) => ({
          table: restore(step.table),
          action: step.action,
          match: step.match.map(({ columns, copyOf }) => ({
            columns: columns.map(restore),
            copyOf: path(copyOf),
          })),
          clear: step.clear.map(({ column }) => restore(column)),
          job: step.job,
        }));
        const wanted = original.steps.map((step) => ({
          table: step.table,
          action: step.action,
          match: step.match.map(({ columns, copyOf }) => ({ columns, copyOf })),
          clear: step.clear.map(({ column }) => column),
          job: step.job,
        }));
        const byTable = (list: readonly { readonly table: string }[]) =>
          [...list].sort((a, b) => (a.table < b.table ? -1 : 1));
        expect(byTable(steps)).toEqual(byTable(wanted));
      },
    ),
    { seed: 3, numRuns: 25 },
  );
});

test('L7: a plan depends on the kind of subject and on nothing else: the same input, in any order, gives the same digest', async () => {
  const events = platformEvents();
  const { digest } = await plan(events);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...events], { minLength: events.length }), async (shuffled) => {
      expect((await plan(shuffled)).digest).toBe(digest);
    }),
    { seed: 5, numRuns: 25 },
  );
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
});

test('L7: reading and planning work with every clock throwing', async () => {
  const { digest } = await plan(platformEvents());
  const never = new Proxy(
    class {
      constructor() {
        throw new Error('a clock was read');
      }
    },
    {
      get() {
        throw new Error('a clock was read');
      },
    },
  );
  for (const clock of ['Date', 'performance', 'Temporal']) vi.stubGlobal(clock, never);
  const under = await plan(platformEvents());
  vi.unstubAllGlobals();
  expect(under.digest).toBe(digest);
});

test('L5: a chain of two thousand tables and a fan of two thousand are planned without recursion', async () => {
  const parsed = parseGovernance({
    'retention.toml': '[erasure.subjects.p]\nid_type = "long"\nid_columns = ["pid"]\nidentifying = []\n',
  });
  const chain = Array.from({ length: 2000 }, (_, at) => ({
    job: `c${at}`,
    output: `m.c${at}`,
    columns: { k: [at === 0 ? 'm.source.pid' : `m.c${at - 1}.k`] },
  }));
  const fan = Array.from({ length: 2000 }, (_, at) => ({
    job: `f${at}`,
    output: `m.f${at}`,
    columns: { k: ['m.c1999.k'] },
  }));
  const lineage = await readLineage({ from: [[...fan, ...chain].flatMap((run) => runEvents(run))] });
  const tables = [
    { table: 'm.source', columns: [{ name: 'pid' }] },
    ...[...chain, ...fan].map(({ output }) => ({ table: output, columns: [{ name: 'k' }] })),
  ];
  const { steps } = planErasure({ governance: parsed, lineage, tables, subject: 'p' });
  expect(steps.map(({ table }) => table).slice(0, 4)).toEqual(['m.source', 'm.c0', 'm.c1', 'm.c2']);
  expect(steps.filter(({ action, copyOf }) => action === 'delete' && copyOf === 'm.source.pid')).toHaveLength(
    4000,
  );
});
