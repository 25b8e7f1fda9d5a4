import { eachTable, type JobContext, noteOf, touchedSteps } from './context.ts';
import type { YoungFile } from './evidence.ts';

/** Later than any snapshot: the erasure keeps none but the current one, whatever its age. */
const EVERY_SNAPSHOT = Number.MAX_SAFE_INTEGER;

/**
 * Takes out what the deletes left (rule E1): deleted entries and bounds in the manifests, the snapshots from before with the
 * files that only they held, whatever their age, and files that no metadata names from the minimum age on. Returns the files
 * that were too young.
 */
export async function cleanTables(context: JobContext): Promise<readonly YoungFile[]> {
  const { warehouse } = context.options;
  const steps = touchedSteps(context);
  const young: YoungFile[] = [];
  await eachTable(context, 'scrub', {
    steps,
    use: async ({ step }) => {
      await warehouse.scrub(step.table, noteOf(context));
      return {};
    },
  });
  await eachTable(context, 'expire', {
    steps,
    use: async ({ step }) => {
      await context.named.remember(step.table);
      await dropRefs(context, step.table);
      const expired = await warehouse.expire(step.table, {
        olderThan: EVERY_SNAPSHOT,
        minToKeep: 1,
        files: 'delete',
      });
      await context.named.rememberRemoved(step.table, expired.filesDeleted);
      return { files: expired.filesDeleted.length };
    },
  });
  await eachTable(context, 'sweep', {
    steps,
    use: async ({ step }) => {
      const named = await context.named.of(step.table);
      const swept = await warehouse.sweep(step.table, { minAgeMs: context.minAgeMs, named });
      young.push(
        ...swept.young.map(({ location, sweepableFrom }) => ({
          table: step.table,
          file: location,
          sweepableFrom: new Date(sweepableFrom).toISOString(),
        })),
      );
      return { files: swept.deleted.length };
    },
  });
  return young;
}

/** Drops the branches and tags that a decision names: they would keep the snapshots from before the delete. */
async function dropRefs({ options }: JobContext, table: string): Promise<void> {
  const { governance, warehouse } = options;
  for (const { refs } of governance.decisions.get(table) ?? [])
    for (const ref of refs.keys()) await warehouse.dropRef(table, ref);
}
