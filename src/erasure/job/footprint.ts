import { type ScanReport, scan, type Traces } from '../../scan/index.ts';
import type { Warehouse } from '../../warehouse/warehouse.ts';
import type { BoundPlan } from '../bound-plan.ts';
import { describeOrNull } from './check-tables.ts';

export interface FootprintOptions {
  readonly warehouse: Warehouse;
  readonly bound: BoundPlan;
  /** With traces, the raw files are read too. */
  readonly traces?: Traces;
}

/** Where a person still is, table by table, and in which way they can still be reached. */
export interface Footprint {
  readonly tables: readonly TableFootprint[];
  /** What the scan of every file found; null without traces. */
  readonly scan: ScanReport | null;
}

export interface TableFootprint {
  readonly table: string;
  /** The person's rows as a reader sees the table. */
  readonly rows: number;
  readonly snapshots: number;
  /** Older snapshots in which the person's rows still stand. */
  readonly snapshotsHolding: number;
  /** The most rows that one of them gives back by time travel. */
  readonly rowsByTimeTravel: number;
  readonly unreferenced: number;
  /** Raw files that hold the person; null without traces. */
  readonly filesHolding: number | null;
}

/**
 * Counts where the person is: in each table of the plan as it is, by time travel to every older snapshot, and with traces
 * in the raw files (design section 12). What a demo prints after each stage of an erasure; nothing is changed.
 */
export async function footprint({ warehouse, bound, traces }: FootprintOptions): Promise<Footprint> {
  const report = traces === undefined ? null : await scan({ warehouse, traces });
  const tables: TableFootprint[] = [];
  for (const { step, where } of bound.steps) {
    const description = await describeOrNull(warehouse, step.table);
    if (description === null) continue;
    const rows = where.reveal();
    const held: number[] = [];
    for (const { id } of description.snapshots) {
      if (id === description.currentSnapshotId || rows.kind === 'never') continue;
      held.push(await warehouse.count(step.table, rows, { snapshotId: id }));
    }
    tables.push({
      table: step.table,
      rows: rows.kind === 'never' ? 0 : await warehouse.count(step.table, rows),
      snapshots: description.snapshots.length,
      snapshotsHolding: held.filter((count) => count > 0).length,
      rowsByTimeTravel: Math.max(0, ...held),
      unreferenced: (await warehouse.unreferenced(step.table)).length,
      filesHolding:
        report === null ? null : (report.tables.find((each) => each.table === step.table)?.holding ?? 0),
    });
  }
  return { tables, scan: report };
}
