import type { PlanModel } from '../model/model.ts';

/** A job that makes a table, as the configuration declares it: this outranks what events say. */
export interface DeclaredJob {
  /** The job's OpenLineage name. */
  readonly name: string;
  readonly makes: readonly string[];
  readonly replaces: 'all' | 'part';
}

/** Whether running a job again makes the whole table anew (rule L5f); `why` says what stands against it. */
export type Rebuild =
  | { readonly possible: true; readonly job: string; readonly declared: boolean }
  | { readonly possible: false; readonly code: 'incremental' | 'no-rebuild'; readonly why: string };

/**
 * Judges whether one job is known to replace the whole table out of tables of the warehouse. Views are read through. What a
 * file or a topic still holds would come back, so a job that reads one cannot rebuild.
 */
export function rebuildOf(model: PlanModel, table: number, jobs: readonly DeclaredJob[]): Rebuild {
  const name = model.tableNames[table]!;
  const declared = jobs.find((job) => job.makes.includes(name));
  if (declared !== undefined) {
    if (declared.replaces === 'all') return { possible: true, job: declared.name, declared: true };
    return no('incremental', `${declared.name} replaces only a part of it, by declaration`);
  }
  const writes = model.writesOf[table]!.map((write) => model.writes[write]!);
  if (writes.length === 0) return no('no-rebuild', 'no job is known to make it');
  const made = new Set(writes.map(({ job }) => job));
  const [first] = made;
  if (made.size > 1) return no('no-rebuild', `${made.size} jobs write it`);
  if (writes.some(({ rowLevel }) => rowLevel))
    return no('incremental', `${jobName(first!)} changes rows in place`);
  if (writes.some(({ replaces }) => replaces === 'part'))
    return no('incremental', `${jobName(first!)} adds to it`);
  if (writes.every(({ ended }) => ended === 'failed')) return no('no-rebuild', `${jobName(first!)} failed`);
  if (writes.some(({ replaces }) => replaces === 'unknown'))
    return no('no-rebuild', `nothing says that ${jobName(first!)} replaces the whole table`);
  if (readsItself(model, table)) return BUILT_FROM_ITSELF;
  const outside = outsideInput(model, table);
  if (outside !== null)
    return no('no-rebuild', `its job reads ${outside}, which is no table of the warehouse`);
  return { possible: true, job: jobName(first!), declared: false };
}

/** A rebuild as it stands among those of other tables: tables that build each other cannot all be built again. */
export function outsideCircles(rebuild: Rebuild, inCircle: boolean): Rebuild {
  return inCircle && rebuild.possible && !rebuild.declared ? BUILT_FROM_ITSELF : rebuild;
}

function readsItself({ writesOf, rereadsOf }: PlanModel, table: number): boolean {
  return writesOf[table]!.some((write) => rereadsOf[write]!.includes(table));
}

/** An input, through views too, that is no table of the warehouse; null where there is none. */
function outsideInput(model: PlanModel, table: number): string | null {
  const seen = new Set<number>([table]);
  const queue = [table];
  for (let at = 0; at < queue.length; at++)
    for (const write of model.writesOf[queue[at]!]!)
      for (const input of model.rereadsOf[write]!) {
        if (seen.has(input) || model.real[input] !== null) continue;
        seen.add(input);
        if (!model.views.has(input)) return model.tableNames[input]!;
        queue.push(input);
      }
  return null;
}

const BUILT_FROM_ITSELF = no('incremental', 'it is built from itself');

function no(code: 'incremental' | 'no-rebuild', why: string): Rebuild {
  return { possible: false, code, why };
}

/** The name of a `namespace name` label. */
export function jobName(label: string): string {
  return label.slice(label.indexOf(' ') + 1);
}
