import type { Plan } from '../../../src/erasure/plan/plan.ts';
import { planErasure } from '../../../src/erasure/plan/plan-erasure.ts';
import { type Lineage, readLineage } from '../../../src/lineage/index.ts';
import { eventsOf } from './events/index.ts';
import type { Pipeline } from './pipeline.ts';
import { governance, SOURCES } from './world.ts';

/** Makes a plan out of what is known of a pipeline: its lineage and the tables that are there. */
export type Planner = (lineage: Lineage, tables: Parameters<typeof planErasure>[0]['tables']) => Plan;

/** The planner under test. */
export const planner: Planner = (lineage, tables) =>
  planErasure({ governance, lineage, tables, subject: 'learner' });

/** The plan for a pipeline, from its events and the tables' real columns alone. */
export async function planFor(pipeline: Pipeline, plan: Planner): Promise<Plan> {
  const tables = [...SOURCES, ...pipeline.tables];
  const lineage = await readLineage({
    from: [eventsOf(pipeline)],
    names: governance.names,
    tables: tables.map(({ table }) => table),
  });
  return plan(
    lineage,
    tables.map(({ table, columns }) => ({
      table,
      columns: columns.map(({ name, type }) => ({ name, type })),
    })),
  );
}
