import { Table } from 'apache-arrow';
import type { Governance, Purpose } from '../governance/governance.ts';
import type { Edge } from '../lineage/lineage.ts';
import type { Instant } from '../values/time.ts';
import type { TableDescription, Warehouse } from '../warehouse/warehouse.ts';
import { type ConsentRecord, consentsAt } from './consent-at.ts';
import { consentFilter } from './consent-filter.ts';
import { consentRecords } from './read-records.ts';
import { type StaleTable, staleTables } from './stale-tables.ts';
import { type ConsentState, STATES } from './states.ts';
import { erasureGrounds } from './withdrawals.ts';

/** How the consent to one purpose stands in the tables at an instant: counts, and nobody by name. */
export interface ConsentStanding {
  readonly purpose: Purpose;
  /** Rows of the purpose's table, and those that it may use. */
  readonly rows: number;
  readonly given: number;
  /** People by the state of their last record; null where the purpose has no `records`. */
  readonly states: Readonly<Record<ConsentState, number>> | null;
  /** People whose withdrawal asks for an erasure (rule C5); null where it does not, or nothing is recorded. */
  readonly toErase: number | null;
  /** Tables that were built on an older answer (rule C4). */
  readonly stale: readonly StaleTable[];
}

export interface StandingOptions {
  readonly warehouse: Pick<Warehouse, 'list' | 'describe' | 'count' | 'read'>;
  readonly governance: Governance;
  readonly lineage: { readonly edges: readonly Edge[] };
  /** Records of later changes do not count yet. */
  readonly instant: Instant;
}

/**
 * How the consent to each purpose stands, in the order of their names. Where nothing is recorded, any change of the purpose's
 * table may have been one of consent.
 *
 * Throws what `consentRecords` throws, and what reading the tables throws.
 */
export async function consentStandings(options: StandingOptions): Promise<ConsentStanding[]> {
  const { warehouse, governance } = options;
  const builtAt = new Map<string, Instant>();
  for (const table of await warehouse.list()) {
    const built = lastBuilt(await warehouse.describe(table));
    if (built !== null) builtAt.set(table, built);
  }
  const standings: ConsentStanding[] = [];
  for (const [, purpose] of [...governance.purposes].sort(([a], [b]) => (a < b ? -1 : 1)))
    standings.push(await standingOf(purpose, builtAt, options));
  return standings;
}

async function standingOf(
  purpose: Purpose,
  builtAt: ReadonlyMap<string, Instant>,
  { warehouse, governance, lineage, instant }: StandingOptions,
): Promise<ConsentStanding> {
  const records = await recordsOf(purpose, governance, warehouse);
  const changedAt = lastChange(purpose, records, instant) ?? builtAt.get(purpose.table);
  return {
    purpose,
    rows: await warehouse.count(purpose.table),
    given: await warehouse.count(purpose.table, consentFilter(purpose)),
    states: records === null ? null : countStates(records, purpose, instant),
    toErase: records === null ? null : countToErase(records, purpose, { governance, instant }),
    stale: changedAt === undefined ? [] : staleTables({ lineage, purpose, changedAt, builtAt }),
  };
}

async function recordsOf(
  { records, subject }: Purpose,
  { subjects }: Governance,
  warehouse: StandingOptions['warehouse'],
): Promise<readonly ConsentRecord[] | null> {
  if (records === undefined) return null;
  const found: ConsentRecord[] = [];
  const columns = ['subject', 'purpose', 'state', 'changed_at'];
  for await (const batch of warehouse.read(records, { columns }))
    found.push(...consentRecords(new Table(batch), subjects.get(subject)!.idType));
  return found;
}

function lastChange(
  { name }: Purpose,
  records: readonly ConsentRecord[] | null,
  instant: Instant,
): Instant | undefined {
  let last: Instant | undefined;
  for (const { purpose, changedAt } of records ?? [])
    if (purpose === name && changedAt <= instant && (last === undefined || changedAt > last))
      last = changedAt;
  return last;
}

function countStates(
  records: readonly ConsentRecord[],
  { name }: Purpose,
  instant: Instant,
): Record<ConsentState, number> {
  const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<ConsentState, number>;
  for (const state of consentsAt({ records, purpose: name, instant }).values()) counts[state] += 1;
  return counts;
}

function countToErase(
  records: readonly ConsentRecord[],
  { name, groundsForErasure }: Purpose,
  at: { readonly governance: Governance; readonly instant: Instant },
): number | null {
  if (!groundsForErasure) return null;
  const ground = erasureGrounds({ ...at, records }).find(({ purpose }) => purpose === name);
  return ground?.ids.reveal().length ?? 0;
}

/**
 * When a table's rows were last written by whoever builds it. What an erasure or a retention rule took out, and rows that were only
 * written again, are no answer to a change of consent.
 */
function lastBuilt({ snapshots }: TableDescription): Instant | null {
  const builds = snapshots.filter(
    ({ operation, summary }) =>
      operation !== 'replace' &&
      summary['erasure-request'] === undefined &&
      summary['retention-rule'] === undefined,
  );
  return builds.length === 0 ? null : Math.max(...builds.map(({ timestamp }) => timestamp));
}
