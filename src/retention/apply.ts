import { FailedError } from '../errors.ts';
import type { Day } from '../values/time.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import { type RuleOfTable, rulesOfTables } from './check-rules.ts';
import { due } from './due.ts';
import { countDue, type DueRows, type RetentionOptions } from './due-rows.ts';

/** What was deleted: the document of `lethe apply`. */
export interface AppliedDocument {
  readonly schemaVersion: 1;
  readonly day: Day;
  readonly tables: readonly AppliedRule[];
}

/** What one rule deleted from its table. */
export interface AppliedRule extends DueRows {
  readonly deleted: number;
  /** The commit, or the snapshot as it was where nothing was due; null for a table without one. */
  readonly snapshotId: string | null;
}

/**
 * Deletes what the rules no longer keep on a day (rule R5): one commit for each rule that has due rows, none where nothing is
 * due, each recording `retention-rule` and `retention-day` in its snapshot's summary. Running it again for the same day
 * changes nothing, so a run that stopped half-way is simply run again. Where a table's partitions end with the rule's
 * days, whole files go in a commit of metadata alone (rule R6).
 *
 * Every rule is checked against its table before the first delete. Throws `retention/rules-and-tables` (nothing was
 * changed), `values/day`, and `retention/stopped` where an earlier rule was already applied; `data.applied` names it.
 */
export async function applyRetention(options: RetentionOptions): Promise<AppliedDocument> {
  const { warehouse, governance, day } = options;
  const tables: AppliedRule[] = [];
  for (const rule of await rulesOfTables(warehouse, governance, day)) {
    try {
      tables.push(await applyRule(warehouse, rule, day));
    } catch (cause) {
      throw tables.some(({ deleted }) => deleted > 0) ? stopped(rule.name, tables, cause) : cause;
    }
  }
  return { schemaVersion: 1, day, tables };
}

async function applyRule(warehouse: Warehouse, named: RuleOfTable, day: Day): Promise<AppliedRule> {
  const counted = await countDue(warehouse, named, day);
  const changed = await warehouse.change(
    named.rule.table,
    { delete: due(named.rule, day) },
    { 'retention-rule': named.name, 'retention-day': day },
  );
  return { ...counted, deleted: changed.rowsDeleted, snapshotId: changed.snapshotAfter?.toString() ?? null };
}

function stopped(rule: string, tables: readonly AppliedRule[], cause: unknown): FailedError {
  const applied = tables.filter(({ deleted }) => deleted > 0).map((table) => table.rule);
  return new FailedError('retention/stopped', `Retention stopped at ${rule}, after ${applied.join(', ')}`, {
    remedy: 'See the cause, then run it again for the same day: what is done stays done',
    data: { rule, applied },
    cause,
  });
}
