import { LetheError } from '../errors.ts';
import type { Storage, VersionLocks } from '../storage/storage.ts';
import type { Instant } from '../values/time.ts';
import type { TableRefusal } from './warehouse.ts';

/**
 * Why old versions under some folders could not be removed (rule E5): locks that have not ended, legal holds, a second factor, or rights
 * that are missing to find out. Empty where nothing keeps them.
 */
export async function versionRefusals(
  storage: Storage,
  folders: readonly string[],
  now: Instant,
): Promise<readonly TableRefusal[]> {
  const refusals: TableRefusal[] = [];
  for (const folder of folders) {
    const versions = storage.versions(folder);
    if (versions === null) continue;
    try {
      // The first of a listing tells whether there may be one.
      for await (const _ of versions.list(folder)) break;
      const locks = await versions.locks(folder, now);
      if (locks !== null) refusals.push(...lockRefusals(locks));
    } catch (error) {
      if (!(error instanceof LetheError) || error.kind !== 'refused') throw error;
      const code = error.code.slice(error.code.indexOf('/') + 1);
      refusals.push({ code, reason: error.reason, remedy: error.remedy });
    }
  }
  return refusals;
}

function lockRefusals({ retained, until, held, secondFactor }: VersionLocks): readonly TableRefusal[] {
  const refusals: TableRefusal[] = [];
  if (until !== null) {
    const end = new Date(until).toISOString();
    refusals.push({
      code: 'object-lock',
      reason: `${retained} version(s) of its files are locked until ${end.slice(0, 10)}`,
      remedy: `Start again after ${end}, when the last lock ends`,
    });
  }
  if (held > 0) {
    refusals.push({
      code: 'legal-hold',
      reason: `${held} version(s) of its files are under a legal hold`,
      remedy: 'Let those who placed the hold lift it, then start again',
    });
  }
  if (secondFactor) {
    refusals.push({
      code: 'mfa-delete',
      reason: 'its bucket asks for a second factor with each removal of a version',
      remedy: 'Suspend MFA delete while the erasure runs, with the account that owns the bucket',
    });
  }
  return refusals;
}
