import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock, Governance, Lineage, Random, Warehouse } from 'lethe';
import { loadGovernance, localStorage, openIceberg, readLineage, tableProperties } from 'lethe';
import { system } from 'lethe/system';
import { makeRows } from './data/index.ts';
import { arrowTable } from './pipelines/arrow.ts';
import { type PipelineName, pipelines } from './pipelines/index.ts';
import { runPipeline } from './pipelines/run-pipeline.ts';
import { sourceTables } from './tables.ts';

/** The folder of the platform's governance files. */
export const governanceFolder: string = fileURLToPath(new URL('../../governance', import.meta.url));

export interface PlatformOptions {
  /** A folder; the tables are made in `warehouse` and the lineage events in `lineage` under it. */
  readonly dir: string;
  /** Whether learner 3590 has withdrawn their marketing consent already. Default: true, as a request finds it. */
  readonly withdrawn?: boolean;
  /** Whether every table is made with its generated properties. Default: false, Iceberg's own statistics. */
  readonly properties?: boolean;
  /** Only these source tables, and no pipelines. */
  readonly only?: readonly string[];
  readonly clock?: Clock;
  readonly random?: Random;
}

/** The learning platform of the examples, as real Iceberg tables. */
export interface Platform {
  readonly dir: string;
  readonly warehouse: Warehouse;
  readonly governance: Governance;
  /** Runs a pipeline again, as every night. */
  run(name: PipelineName): Promise<void>;
  /** What the events say so far. */
  lineage(): Promise<Lineage>;
  /** For `erase`: how the tables that lineage can only rebuild are rebuilt. */
  readonly jobs: Readonly<Record<string, () => Promise<void>>>;
  close(): Promise<void>;
}

/** Makes the platform: the same rows every time, in twelve tables, four of them built by pipelines that report lineage. */
export async function makePlatform(options: PlatformOptions): Promise<Platform> {
  const { withdrawn = true, properties = false, clock = system.clock, random = system.random } = options;
  const dir = resolve(options.dir);
  const tables = join(dir, 'warehouse');
  const governance = await loadGovernance(governanceFolder);
  const warehouse = await openIceberg({ catalog: { kind: 'directory', path: tables }, clock, random });
  const created = async (table: string): Promise<void> => {
    if (properties)
      await warehouse.setProperties(table, tableProperties(governance, await warehouse.describe(table)), {});
  };
  const emitting = { warehouse, tables, events: join(dir, 'lineage'), clock, random };
  const run = async (name: PipelineName): Promise<void> => {
    await runPipeline(pipelines[name], emitting);
  };

  const rows = makeRows({ withdrawn });
  for (const [table, columns] of Object.entries(sourceTables)) {
    if (options.only !== undefined && !options.only.includes(table)) continue;
    await warehouse.create(table, { columns });
    await created(table);
    await warehouse.append(table, arrowTable(columns, rows.get(table)!));
  }
  if (options.only === undefined) {
    for (const pipeline of Object.values(pipelines)) await runPipeline(pipeline, { ...emitting, created });
  }
  return {
    dir,
    warehouse,
    governance,
    run,
    lineage: async () =>
      readLineage({
        from: [emitting.events],
        storage: localStorage(),
        names: governance.names,
        tables: await warehouse.list(),
      }),
    jobs: { [pipelines.course_performance.table]: () => run('course_performance') },
    close: () => warehouse.close(),
  };
}

/** The CRM's export of its learners, all or some, as the application that nobody erased still has it. */
export function crmExport(only?: readonly number[]): ReturnType<typeof arrowTable> {
  const learners = makeRows({ withdrawn: true }).get('crm.learners')!;
  const asked = learners.filter(({ learner_id }) => only === undefined || only.includes(Number(learner_id)));
  return arrowTable(sourceTables['crm.learners']!, asked);
}
