import { LetheError } from '../../../errors.ts';
import type { Storage } from '../../../storage/storage.ts';
import { isLeftBehind } from '../../../storage/temporary-name.ts';
import { fileNames, notNamed, realFolders } from '../../linked-names.ts';
import type { DeadAttempts, TableState } from '../../table-format.ts';
import { writeFolders } from './attempt.ts';
import { attemptsFolder, lifeOf, readRecord, recordOf } from './attempt-record.ts';

/** What {@link clearDeadAttempts} needs. */
export interface DeadAttemptSearch extends DeadAttempts {
  readonly storage: Storage;
  readonly state: TableState;
}

/**
 * Removes what attempts of killed processes wrote and no state of the table names, what they were about to remove, and the
 * temporary files they left; gives the files removed. An attempt of another machine, or one whose process number is in use again on a
 * system that does not tell when a process started, is taken for alive: its files wait for the sweep's minimum age.
 */
export async function clearDeadAttempts({
  storage,
  state,
  reload,
  unclaimed,
}: DeadAttemptSearch): Promise<readonly string[]> {
  const { metadata } = state.loaded;
  const records = storage.normalize(attemptsFolder(metadata.location));
  const dead = await attemptsWhere(storage, records, 'dead');
  if (dead.size === 0) return [];
  const referenced = await (await reload()).referenced();
  const removed: string[] = [];
  const remove = async (location: string): Promise<void> => {
    if (await storage.remove(location)) removed.push(location);
  };
  const recordFiles = new Map(
    [...dead.keys()].map((id) => [id, storage.normalize(recordOf(metadata.location, id))]),
  );
  const folders = writeFolders(metadata);
  for (const folder of new Set([folders.data, folders.metadata, records])) {
    for await (const { location } of storage.list(folder)) {
      const id = attemptOf(location) ?? '';
      const theirs = dead.has(id) && recordFiles.get(id) !== location && !referenced.has(location);
      if (theirs || isLeftBehind(location)) await remove(location);
    }
  }
  for (const [id, removing] of dead) {
    const files = removing.map((file) => storage.normalize(file));
    const loose = await notNamed(files, fileNames(referenced), realFolders(storage));
    const own = await claimless(unclaimed, loose);
    if (own === null) continue;
    for (const file of own) await remove(file);
    await storage.remove(recordFiles.get(id)!);
  }
  return removed.sort();
}

/** Null where another table cannot be read that may claim one of the files: they, and the record, wait for it. */
async function claimless(
  unclaimed: DeadAttempts['unclaimed'],
  files: ReadonlySet<string>,
): Promise<ReadonlySet<string> | null> {
  try {
    return await unclaimed(files);
  } catch (cause) {
    if (cause instanceof LetheError) return null;
    throw cause;
  }
}

/** Tells the files of attempts that a process of this machine is at work on; no sweep takes those, however young it may. */
export async function livingAttempts(storage: Storage, location: string): Promise<(file: string) => boolean> {
  const living = await attemptsWhere(storage, storage.normalize(attemptsFolder(location)), 'living');
  return (file) => living.has(attemptOf(file) ?? '');
}

/** The attempt whose id is in the name of a file, or of the temporary one as which it is written first. */
function attemptOf(file: string): string | undefined {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-m\d+)?\.[a-z]+(?:\.[\w-]+\.tmp)?$/.exec(file)?.[1];
}

/** The attempts whose process is gone or at work, with the files that each was about to remove. */
async function attemptsWhere(
  storage: Storage,
  folder: string,
  wanted: 'dead' | 'living',
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for await (const { location } of storage.list(folder)) {
    const id = attemptOf(location);
    if (id === undefined) continue;
    // One that was killed while it wrote its record has written nothing else.
    if (location.endsWith('.tmp')) {
      if (wanted === 'dead' && isLeftBehind(location) && !found.has(id)) found.set(id, []);
      continue;
    }
    const record = await readRecord(storage, location);
    if (lifeOf(id, record) === wanted) found.set(id, record?.removing ?? []);
  }
  return found;
}
