import { type Plan, planErasure } from '../erasure/index.ts';
import { assertGovernance, type Governance } from '../governance/index.ts';
import type { Day } from '../values/time.ts';
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
