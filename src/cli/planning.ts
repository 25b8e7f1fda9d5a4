import { type Plan, type PlanTable, planErasure } from '../erasure/index.ts';
import { assertGovernance, type Governance } from '../governance/index.ts';
import type { Day } from '../values/time.ts';
import { describeAll } from '../warehouse/index.ts';
import type { Session } from './session.ts';

/**
 * The plan for a kind of subject, from the governance files, the events and the tables: those of the warehouse, or where the
 * configuration has none, those that the events describe.
 */
export async function planOf(session: Session, subject: string): Promise<Plan> {
  const { jobs } = await session.config();
  return planErasure({
    governance: await session.governance(),
    lineage: await session.lineage(),
    tables: await session.tables(),
    subject,
    jobs: jobs.map(({ name, makes, replacesAll }) => ({
      name,
      makes,
      replaces: replacesAll ? 'all' : 'part',
    })),
  });
}

/**
 * The governance files for a command that acts on them: every name in them is one that the tables have. With a day,
 * exceptions past their `review_by` on it are faults.
 *
 * @throws InputError `governance/tables`
 */
export async function fittingGovernance(session: Session, day?: Day): Promise<Governance> {
  const governance = await session.governance(day);
  assertGovernance({ governance, tables: await session.tables() });
  return governance;
}

/**
 * The tables and their columns: the warehouse's own, or where the configuration has none, what the events' schema facets and
 * the metadata file say of them. Facets can be partial, so the two are joined.
 */
export async function tablesOf(session: Session): Promise<readonly PlanTable[]> {
  if ((await session.config()).warehouse === null) return declaredTables(session);
  return describeAll(await session.warehouse());
}

async function declaredTables(session: Session): Promise<readonly PlanTable[]> {
  const { tables } = await session.lineage();
  const { metadata } = await session.governance();
  const gone = new Set(tables.filter(({ dropped, view }) => dropped || view).map(({ table }) => table));
  const columns = new Map<string, Map<string, PlanTable['columns'][number]>>();
  const add = (table: string, declared: PlanTable['columns']): void => {
    const known = columns.get(table) ?? new Map();
    for (const column of declared) known.set(column.name, known.get(column.name) ?? column);
    columns.set(table, known);
  };
  for (const { table, mapped, columns: declared } of tables) if (mapped) add(table, declared);
  for (const { table, columns: declared } of metadata.values()) {
    add(
      table,
      [...declared.keys()].map((name) => ({ name })),
    );
  }
  return [...columns]
    .filter(([table]) => !gone.has(table))
    .map(([table, known]) => ({ table, columns: [...known.values()] }));
}
