import type { Governance } from '../../governance/governance.ts';
import { type Lineage, nearestTables } from '../../lineage/index.ts';
import { matchesGlob } from '../../lineage/names/pattern.ts';
import { jobName } from './judge/rebuildable.ts';
import type { PlanModel } from './model/model.ts';
import type { Reach } from './model/reach.ts';
import { declaredSource } from './model/subject.ts';
import type { Unaccounted, Unmapped } from './plan.ts';

/** Datasets that are no table of the warehouse, and that nobody declared (rule L2b). */
export function unmappedDatasets(model: PlanModel, lineage: Lineage): readonly Unmapped[] {
  const tables = model.real.flatMap((real) => (real === null ? [] : [real.table]));
  return lineage.datasets.flatMap(({ namespace, name, table, by }) => {
    if (by === 'ignored' || by === 'job') return [];
    const number = table === null ? undefined : model.table(table);
    if (number !== undefined) {
      if (model.real[number] !== null || model.views.has(number) || model.dropped.has(number)) return [];
    }
    return [{ namespace, name, candidates: nearestTables(table ?? name, tables) }];
  });
}

function isSilent({ writes, inputsOf }: PlanModel, number: number): boolean {
  const { rowLevel, edges } = writes[number]!;
  return !rowLevel && inputsOf[number]!.length === 0 && edges.from.length === 0;
}

/** Tables that no job accounts for, and jobs that read the person's rows and say nothing of where they went (rule L2b). */
export function unaccountedFor(
  model: PlanModel,
  governance: Governance,
  lineage: Lineage,
  reach: Reach,
): readonly Unaccounted[] {
  const found: Unaccounted[] = [];
  for (const [number, real] of model.real.entries()) {
    if (real === null || declaredSource(governance, real.table) !== null) continue;
    const writes = model.writesOf[number]!;
    const made = writes.some((write) => model.inputsOf[write]!.some((input) => input !== number));
    // A write that names nothing it read could have brought anything, whatever the others say.
    const silent = writes.some((write) => isSilent(model, write));
    if (made && !silent) continue;
    const why =
      writes.length === 0
        ? 'no job of the lineage writes it, and [sources] does not name it'
        : `${made ? 'a job writes' : 'jobs write'} it and ${made ? 'names' : 'name'} nothing that ${made ? 'it' : 'they'} read, and [sources] does not name it`;
    found.push({ name: real.table, kind: 'table', why });
  }
  for (const { job, inputs } of lineage.reads) {
    const name = jobName(job);
    const reader = governance.names.readers.some((declared) => matchesGlob(declared.name, name));
    const read = inputs.filter((input) => {
      const table = model.table(input);
      if (table === undefined) return false;
      const former = model.formerOf.get(table);
      return reach.values.has(table) || (former !== undefined && reach.values.has(former));
    });
    if (!reader && read.length > 0)
      found.push({
        name,
        kind: 'run',
        why: `it reads ${read.join(', ')} and names no output; [[readers]] does not name it`,
      });
  }
  return found.sort((a, b) => (a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind === 'table' ? -1 : 1));
}
