import { RefusedError } from '../errors.ts';
import type { Instant } from '../values/time.ts';
import type { Expired, TableDescription, Warehouse } from '../warehouse/warehouse.ts';

/** Five days, Iceberg's own default. */
const DEFAULT_MAX_AGE_MS = 432_000_000;

/** What is expired, as of when. */
export interface ExpireByAgeOptions {
  readonly warehouse: Warehouse;
  readonly table: string;
  /** The moment against which ages are told; the library reads no clock. */
  readonly instant: Instant;
}

/**
 * Expires the snapshots of a table that are older than its own `history.expire.max-snapshot-age-ms` (five days where unset),
 * keeping `history.expire.min-snapshots-to-keep` however old, and deletes the files that only they held (rule R9).
 *
 * Throws `retention/gc-disabled` where the table has garbage collection off, and `retention/property` where one of the
 * properties is no number: an owner's settings are obeyed or the job stops, never ignored.
 */
export async function expireByAge({ warehouse, table, instant }: ExpireByAgeOptions): Promise<Expired> {
  const description = await warehouse.describe(table);
  refuseWithoutGc(description);
  const maxAge = numberOf(description, 'history.expire.max-snapshot-age-ms', DEFAULT_MAX_AGE_MS);
  const minToKeep = numberOf(description, 'history.expire.min-snapshots-to-keep', 1);
  return warehouse.expire(table, { olderThan: instant - maxAge, minToKeep, files: 'delete' });
}

/** Iceberg reads the property as Java does: `TRUE` is true, anything else but `true` is not. */
function refuseWithoutGc({ table, properties }: TableDescription): void {
  const enabled = properties['gc.enabled'] ?? 'true';
  if (enabled.toLowerCase() === 'true') return;
  throw new RefusedError(
    'retention/gc-disabled',
    `${table} has gc.enabled=${enabled}, which turns off garbage collection for the table`,
    {
      remedy: 'Ask the owner why: other tables may share its files. Expire only once the property is gone',
      data: { table },
    },
  );
}

function numberOf({ table, properties }: TableDescription, name: string, fallback: number): number {
  const text = properties[name];
  if (text === undefined) return fallback;
  if (/^[1-9]\d{0,15}$/.test(text.trim())) return Number(text);
  throw new RefusedError('retention/property', `${table} has a ${name} that is no number of at least 1`, {
    remedy: 'Correct the property; nothing was expired',
    data: { table, property: name },
  });
}
