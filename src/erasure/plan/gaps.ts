import type { Governance } from '../../governance/governance.ts';
import type { Lineage } from '../../lineage/index.ts';
import { NearestTables } from '../../lineage/names/nearest-tables.ts';
import { matchesGlob } from '../../lineage/names/pattern.ts';
import { jobName } from './judge/rebuildable.ts';
import type { PlanModel } from './model/model.ts';
import type { Reach } from './model/reach.ts';
import { declaredSource } from './model/subject.ts';
import type { Unaccounted, Unmapped } from './plan.ts';

/**
 * Datasets that are no table of the warehouse, and that nobody declared (rule L2b). A catalog's table that only failed runs would have
 * made, that the warehouse does not have and nobody read is none: there is nothing to map.
 */
export function unmappedDatasets(model: PlanModel, lineage: Lineage): readonly Unmapped[] {
  const near = new NearestTables(model.real.flatMap((real) => (real === null ? [] : [real.table])));
  const read = new Set(model.inputsOf.flat());
  return lineage.datasets.flatMap(({ namespace, name, table, by, doubt }) => {
    if (by === 'ignored' || by === 'job') return [];
    const number = table === null ? undefined : model.table(table);
    if (number !== undefined) {
      if (model.real[number] !== null || model.views.has(number) || model.dropped.has(number)) return [];
      // A catalog makes a table as a whole or not at all; a database or a folder may keep a part of what failed.
      const ofCatalog = by === 'symlink' && doubt === undefined;
      if (ofCatalog && isNeverMade(model, number) && !read.has(number)) return [];
    }
    return [{ namespace, name, candidates: near.of(table ?? name) }];
  });
}

/** Whether every run that would have made a table failed. */
function isNeverMade({ writes, writesOf }: PlanModel, table: number): boolean {
  return writesOf[table]!.length > 0 && writesOf[table]!.every((write) => writes[write]!.ended === 'failed');
}

/** Whether a write that names nothing it read made what a table was before it was emptied, and others were made from that. */
function silentFormer(model: PlanModel, table: number): boolean {
  const former = model.formerOf.get(table);
  if (former === undefined || !model.writesOf[former]!.some((write) => isSilent(model, write))) return false;
  return model.inputsOf.some((inputs) => inputs.includes(former));
}

/** Whether a write brought rows or values and names nothing that it read, its own table included; a DELETE brings none. */
function isSilent({ writes, inputsOf }: PlanModel, number: number): boolean {
  const { rowLevel, edges } = writes[number]!;
  // A MERGE or UPDATE that speaks of no columns has one edge: its own table into itself, as anything.
  return inputsOf[number]!.length === 0 && edges.from.length === (rowLevel ? 1 : 0);
}

/** Tables that no job accounts for, and jobs that read the person's rows and say nothing of where they went (rule L2b). */
export function unaccountedFor(
  model: PlanModel,
  governance: Governance,
  lineage: Lineage,
  reach: Reach,
): readonly Unaccounted[] {
  const found: Unaccounted[] = [];
  // A job that took everything out accounts for a table that holds nothing; one that was dropped and is there was made by others.
  const emptied = new Set(
    lineage.tables.flatMap(({ table, dropped, emptiedAt }) => (emptiedAt === null || dropped ? [] : [table])),
  );
  for (const [number, real] of model.real.entries()) {
    const name = model.tableNames[number]!;
    const former = silentFormer(model, number);
    if ((real === null && !former) || declaredSource(governance, name) !== null) continue;
    const writes = model.writesOf[number]!;
    const made = writes.some((write) => model.inputsOf[write]!.some((input) => input !== number));
    // A write that names nothing it read could have brought anything, whatever the others say.
    const silent = former || writes.some((write) => isSilent(model, write));
    if ((made || emptied.has(name)) && !silent) continue;
    const why =
      writes.length === 0 && !former
        ? 'no job of the lineage writes it, and [sources] does not name it'
        : 'a job writes it and names nothing that it read, and [sources] does not name it';
    found.push({ name, kind: 'table', why });
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
