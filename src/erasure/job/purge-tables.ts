import { eachTable, type JobContext, touchedSteps } from './context.ts';
import type { YoungFile } from './evidence.ts';

/**
 * Removes the old versions, delete markers and unfinished uploads that a versioned bucket keeps of what was removed (rule E5), once
 * nothing names it any more. Returns the uploads that were too young.
 */
export async function purgeTables(context: JobContext): Promise<readonly YoungFile[]> {
  const { warehouse } = context.options;
  const young: YoungFile[] = [];
  await eachTable(context, 'purge', {
    steps: touchedSteps(context),
    use: async ({ step: { table } }) => {
      const files = [...(await context.named.of(table))];
      const purged = await warehouse.purgeVersions(table, { minAgeMs: context.minAgeMs, files });
      if (purged === null) return {};
      const { young: uploads, ...counts } = purged;
      await context.journal.add({ kind: 'purged', table, ...counts, why: [...counts.why] });
      young.push(
        ...uploads.map(({ location, sweepableFrom }) => ({
          table,
          file: location,
          sweepableFrom: new Date(sweepableFrom).toISOString(),
        })),
      );
      return { files: counts.noncurrent + counts.deleteMarkers + counts.uploads };
    },
  });
  return young;
}
