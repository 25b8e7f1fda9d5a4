import { type Plan, type PlanTable, planErasure } from '../erasure/plan/index.ts';
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
    tables: await tablesOf(session),
    subject,
    jobs: jobs.map(({ name, makes, replacesAll }) => ({
      name,
      makes,
      replaces: replacesAll ? 'all' : 'part',
    })),
  });
}

/** The tables and their columns, as far as they are known. */
export async function tablesOf(session: Session): Promise<readonly PlanTable[]> {
  if ((await session.config()).warehouse === null) {
    const { tables } = await session.lineage();
    return tables.filter(({ mapped, dropped, view }) => mapped && !dropped && !view);
  }
  const warehouse = await session.warehouse();
  const described: PlanTable[] = [];
  for (const table of await warehouse.list()) described.push(await warehouse.describe(table));
  return described;
}
