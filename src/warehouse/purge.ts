import type { DeleteMarker, FileVersion, Storage } from '../storage/storage.ts';
import type { Instant } from '../values/time.ts';
import type { PurgedVersions } from './warehouse.ts';
import { within } from './within.ts';

/** What {@link purgeVersions} works on; locations are in the storage's normal form. */
export interface PurgeWork {
  readonly storage: Storage;
  /** The folders that the table writes into. */
  readonly folders: readonly string[];
  /** Files of the table elsewhere. */
  readonly files: ReadonlySet<string>;
  /** The folders of other tables inside of these: their versions stay. */
  readonly nested: readonly string[];
  readonly minAgeMs: number;
  readonly now: Instant;
}

/**
 * Removes the old versions, delete markers and unfinished uploads of a table's files (rule E5), whatever their number. What is left is
 * counted by listing them again. An upload younger than the minimum age may be a writer's that is just at work, and stays.
 *
 * A marker that is the latest of its file hides the versions before it, so it goes only once none of these is left: removed
 * earlier, it would bring back a version that cannot be removed.
 */
export async function purgeVersions(work: PurgeWork): Promise<PurgedVersions> {
  const purge = new Purge(work);
  await purge.hidden();
  await purge.markers();
  return purge.result;
}

/** Versions in memory at the same time, and in one request. */
const BATCH = 1000;
const COUNTED = { noncurrent: 'noncurrent', 'delete-marker': 'deleteMarkers', upload: 'uploads' } as const;

class Purge {
  readonly #work: PurgeWork;
  readonly #removed = { noncurrent: 0, deleteMarkers: 0, uploads: 0 };
  readonly #why = new Set<string>();
  readonly #young: { readonly location: string; readonly sweepableFrom: Instant }[] = [];
  #left = 0;

  constructor(work: PurgeWork) {
    this.#work = work;
  }

  get result(): PurgedVersions {
    return { ...this.#removed, left: this.#left, why: [...this.#why].sort(), young: this.#young };
  }

  /** All but the markers that hide something. */
  async hidden(): Promise<void> {
    let batch: FileVersion[] = [];
    for await (const version of versionsOf(this.#work)) {
      if (isHiding(version) || this.#isYoung(version)) continue;
      if (batch.push(version) === BATCH) {
        await this.#remove(batch);
        batch = [];
      }
    }
    await this.#remove(batch);
  }

  /** The markers that hide nothing any more; counts what is left. */
  async markers(): Promise<void> {
    let batch: FileVersion[] = [];
    let marker: DeleteMarker | null = null;
    let hidden = 0;
    const close = async (): Promise<void> => {
      this.#left += hidden;
      if (marker !== null && hidden > 0) this.#left += 1;
      if (marker !== null && hidden === 0 && batch.push(marker) === BATCH) {
        this.#left += await this.#remove(batch);
        batch = [];
      }
    };
    let file: string | null = null;
    for await (const version of versionsOf(this.#work)) {
      if (version.kind === 'upload') {
        if (this.#isYoung(version)) this.#young.push(this.#asYoung(version));
        else this.#left += 1;
        continue;
      }
      if (version.location !== file) {
        await close();
        [file, marker, hidden] = [version.location, null, 0];
      }
      if (isHiding(version)) marker = version;
      else hidden += 1;
    }
    await close();
    this.#left += await this.#remove(batch);
  }

  async #remove(batch: readonly FileVersion[]): Promise<number> {
    if (batch.length === 0) return 0;
    const kept = (await this.#work.storage.versions(batch[0]!.location)?.remove(batch)) ?? [];
    const stayed = new Set(kept.map(({ version }) => version));
    for (const version of batch) if (!stayed.has(version)) this.#removed[COUNTED[version.kind]] += 1;
    for (const { why } of kept) this.#why.add(why);
    return kept.length;
  }

  #isYoung(version: FileVersion): boolean {
    const { minAgeMs, now } = this.#work;
    return version.kind === 'upload' && minAgeMs > 0 && version.modified + minAgeMs > now;
  }

  #asYoung({ location, modified }: FileVersion): PurgedVersions['young'][number] {
    return { location, sweepableFrom: modified + this.#work.minAgeMs };
  }
}

function isHiding(version: FileVersion): version is DeleteMarker {
  return version.kind === 'delete-marker' && version.latest;
}

/** The versions of the table alone: those in its folders, and those of its files elsewhere. */
async function* versionsOf({ storage, folders, files, nested }: PurgeWork): AsyncGenerator<FileVersion> {
  for (const folder of folders) {
    for await (const version of listed(storage, folder)) {
      if (!nested.some((other) => within(other, version.location))) yield version;
    }
  }
  for (const folder of new Set([...files].map((file) => file.slice(0, file.lastIndexOf('/'))))) {
    if (folders.some((each) => within(each, folder))) continue;
    for await (const version of listed(storage, folder)) if (files.has(version.location)) yield version;
  }
}

async function* listed(storage: Storage, folder: string): AsyncGenerator<FileVersion> {
  yield* storage.versions(folder)?.list(folder) ?? [];
}
