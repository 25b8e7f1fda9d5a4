import type { RebuildTable } from '../erasure/index.ts';
import type { Config } from './config/config.ts';
import type { Io } from './io.ts';
import { runRebuild } from './rebuild.ts';

/** The rebuild jobs of the configuration, for `erase`: each table that a job makes to the run of its program. */
export function rebuildJobs(
  { jobs, folder, state }: Config,
  env: Io['env'],
): Readonly<Record<string, RebuildTable>> {
  const entries = jobs.flatMap((job) => {
    const rebuild: RebuildTable = ({ signal }) => runRebuild({ job, cwd: folder, env, state, signal });
    return job.makes.map((table) => [table, rebuild] as const);
  });
  return Object.fromEntries(entries);
}
