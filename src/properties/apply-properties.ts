import type { Governance } from '../governance/governance.ts';
import { minAgeOf } from '../governance/min-age.ts';
import type { TableDescription, TableRefusal, Warehouse } from '../warehouse/warehouse.ts';
import { propertiesMissingFrom } from './table-properties.ts';

/** Marks the commit that took the values out, so that a run that was cut off is finished by the next. */
const MARK = 'lethe-properties';
const EVERY_SNAPSHOT = Number.MAX_SAFE_INTEGER;
const NOTHING = { set: {}, boundsDropped: 0, snapshotsExpired: 0, filesSwept: 0 };

export interface ApplyPropertiesOptions {
  readonly warehouse: Warehouse;
  readonly governance: Governance;
  /** All tables if left out. */
  readonly tables?: readonly string[];
  /** Files that no metadata names are removed from this age on, in milliseconds; `[files]` of the governance if left out. */
  readonly minAgeMs?: number;
}

export interface AppliedProperties {
  readonly table: string;
  /** The properties that were set; none where the table had them all. */
  readonly set: Readonly<Record<string, string>>;
  readonly boundsDropped: number;
  readonly snapshotsExpired: number;
  readonly filesSwept: number;
  /** Why the table, or its older snapshots, which still hold the values, stayed as they were; empty where they did not. */
  readonly left: readonly TableRefusal[];
}

/**
 * Gives every table its generated properties (rule P2): sets what differs, scrubs, so that manifests written earlier lose
 * the values, expires the snapshots from before, and sweeps. No data file is read or written. Running it again changes
 * nothing. Throws `governance/min-age`.
 */
export async function applyProperties(
  options: ApplyPropertiesOptions,
): Promise<readonly AppliedProperties[]> {
  const { warehouse, governance } = options;
  const minAgeMs = minAgeOf(options);
  const applied: AppliedProperties[] = [];
  for (const table of options.tables ?? (await warehouse.list())) {
    applied.push(await applyTo(table, { warehouse, governance, minAgeMs }));
  }
  return applied;
}

async function applyTo(
  table: string,
  { warehouse, governance, minAgeMs }: { warehouse: Warehouse; governance: Governance; minAgeMs: number },
): Promise<AppliedProperties> {
  const found = await warehouse.describe(table);
  const foreign = found.refusals.filter((refusal) => refusal.code === 'foreign-catalog');
  if (foreign.length > 0) return { table, ...NOTHING, left: foreign };
  const set = propertiesMissingFrom(governance, found);
  const differs = Object.keys(set).length > 0;
  if (differs) await warehouse.setProperties(table, set, {});
  const scrubbed = await warehouse.scrub(table, { [MARK]: 'applied' });
  const description = await warehouse.describe(table);
  const before = differs ? EVERY_SNAPSHOT : lastMark(description);
  const old = description.snapshots.filter(
    ({ id, timestamp }) => id !== description.currentSnapshotId && before !== null && timestamp < before,
  );
  const left = old.length > 0 ? description.refusals : [];
  const expires = old.length > 0 && left.length === 0 && before !== null;
  const expired = expires
    ? await warehouse.expire(table, { olderThan: before, minToKeep: 1, files: 'delete' })
    : null;
  const swept = description.refusals.length === 0 ? await warehouse.sweep(table, { minAgeMs }) : null;
  return {
    table,
    set,
    boundsDropped: scrubbed.boundsDropped,
    snapshotsExpired: expired?.snapshots.length ?? 0,
    filesSwept: swept?.deleted.length ?? 0,
    left,
  };
}

/** The instant up to which snapshots can hold values that the last scrub took out; null where there was none. */
function lastMark({ snapshots }: TableDescription): number | null {
  const marked = snapshots
    .filter((snapshot) => MARK in snapshot.summary)
    .map((snapshot) => snapshot.timestamp);
  // One more, because a commit of the same millisecond may have been the one before.
  return marked.length === 0 ? null : Math.max(...marked) + 1;
}
