import type { Warehouse } from '../warehouse/warehouse.ts';
import { Doubts } from './doubts.ts';
import { type FileResult, type FileRole, unreadResult } from './file-scan.ts';
import { IdSearch } from './ids/id-search.ts';
import { type Inventory, type ScannedFile, takeInventory } from './inventory.ts';
import { countTraces } from './make-traces.ts';
import { Mask } from './mask.ts';
import { partsOf } from './parts.ts';
import type { ScanReport } from './report.ts';
import { ReportBuilder } from './report-builder.ts';
import { TextSearch } from './text/text-search.ts';
import { Verdict } from './text/verdict.ts';
import type { Traces } from './traces.ts';
import { openWorkers, type Workers } from './workers.ts';

export interface ScanOptions {
  readonly warehouse: Warehouse;
  readonly traces: Traces;
  /** Called after each file. */
  readonly progress?: (progress: ScanProgress) => void;
  /** Threads; by default one per processor for more than 50 MB, none below. 0 for none. */
  readonly workers?: number;
}

/** How far a scan is. `table` is the table or folder of the file that was read last. */
export interface ScanProgress {
  readonly table: string;
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
}

/**
 * Reads every file that is left, under every table's location and in every folder beside them, each with its own format's
 * reader, and reports where the person still is (rules S1 to S5). Files that metadata names elsewhere are read too, and old versions
 * where a bucket keeps them. One file cannot stop the scan: what cannot be read is `notProven`.
 *
 * The report says what was sought by counts, and shows paths with a match as `***` (rule E3).
 */
export async function scan({
  warehouse,
  traces,
  progress,
  workers: wanted,
}: ScanOptions): Promise<ScanReport> {
  const inventory = await takeInventory(warehouse);
  const sought = {
    texts: traces.texts.reveal(),
    ids: traces.ids.reveal(),
    hashes: traces.hashes.reveal(),
  };
  const mask = new Mask(new TextSearch(sought.texts), new IdSearch(sought.ids));
  const report = new ReportBuilder(
    mask,
    inventory.tables.map(({ name }) => name),
  );
  for (const failure of inventory.failures) report.failure(failure);
  for (const { file, unread } of inventory.names) {
    const result = pathResult(file, mask);
    if (unread !== null || result.matches.length > 0) {
      report.file(file, { ...result, unread: unread === null ? [] : [unread] });
    }
  }
  const bytes = [...inventory.files.values()].reduce((sum, file) => sum + file.size, 0);
  const workers = await openWorkers(sought, { bytes, workers: wanted });
  try {
    await new ScanRun({ warehouse, inventory, mask, report, workers, progress, bytes }).all();
  } finally {
    await workers.close();
  }
  const { root, storage } = warehouse;
  return report.build(countTraces(traces), root === undefined ? null : storage.normalize(root));
}

interface RunOptions {
  readonly warehouse: Warehouse;
  readonly inventory: Inventory;
  readonly mask: Mask;
  readonly report: ReportBuilder;
  readonly workers: Workers;
  readonly progress: ScanOptions['progress'];
  readonly bytes: number;
}

/** One pass over all files: those that say what others are come first. */
class ScanRun {
  readonly #options: RunOptions;
  /** What the metadata read so far says of each file it names. */
  readonly #named = new Map<string, { readonly role: FileRole; readonly by: ScannedFile }>();
  readonly #seen = new Set<string>();
  readonly #doubts: Doubts;
  #files: number;
  #bytes: number;
  #filesDone = 0;
  #bytesDone = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#doubts = new Doubts(options.warehouse.storage);
    this.#files = options.inventory.files.size;
    this.#bytes = options.bytes;
  }

  async all(): Promise<void> {
    const files = [...this.#options.inventory.files.values()];
    const isData = ({ version, location }: ScannedFile): boolean =>
      /\.(parquet|parq|orc)$/i.test(version?.location ?? location);
    await this.#scanAll(files.filter((file) => !isData(file)));
    await this.#scanAll(files.filter(isData));
    // A manifest outside of every folder can name further files, so this ends when nothing new is named.
    for (let found = await this.#elsewhere(); found.length > 0; found = await this.#elsewhere()) {
      this.#files += found.length;
      this.#bytes += found.reduce((sum, file) => sum + file.size, 0);
      await this.#scanAll(found);
    }
    for (const { by, result } of this.#doubts.settle()) this.#options.report.file(by, result);
  }

  /** Files that metadata names and no folder's listing had. One that is not there holds nothing. */
  async #elsewhere(): Promise<readonly ScannedFile[]> {
    const { warehouse, inventory, report } = this.#options;
    const found: ScannedFile[] = [];
    for (const [location, { by }] of this.#named) {
      if (this.#seen.has(location)) continue;
      this.#seen.add(location);
      try {
        found.push(inventory.external(await warehouse.storage.stat(location), by.group, by.fileTable));
      } catch (error) {
        if (codeOf(error) === 'storage/not-found') continue;
        const why = 'metadata names it, and this storage cannot reach it';
        report.file({ ...by, location, path: location }, unreadResult(why));
      }
    }
    return found;
  }

  async #scanAll(files: readonly ScannedFile[]): Promise<void> {
    const queue = [...files];
    const lane = async (): Promise<void> => {
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) await this.#one(file);
    };
    await Promise.all(Array.from({ length: this.#options.workers.width }, lane));
  }

  async #one(file: ScannedFile): Promise<void> {
    const { report, progress } = this.#options;
    this.#seen.add(file.location);
    report.file(file, pathResult(file, this.#options.mask));
    for (const result of await this.#results(file)) {
      report.file(file, result);
      this.#doubts.add(result, file);
      this.#note(result, file);
    }
    this.#filesDone += 1;
    this.#bytesDone += file.size;
    progress?.({
      table: this.#options.mask.path(file.group, file.fileTable),
      files: this.#files,
      filesDone: this.#filesDone,
      bytes: this.#bytes,
      bytesDone: this.#bytesDone,
    });
  }

  async #results(file: ScannedFile): Promise<readonly FileResult[]> {
    const { warehouse, workers } = this.#options;
    const { version } = file;
    const location = version?.location ?? file.location;
    const name = location.slice(location.lastIndexOf('/') + 1);
    const role = this.#named.get(location)?.role ?? null;
    const read = (path: string): Promise<readonly FileResult[]> =>
      Promise.all(
        partsOf(path, workers.width).map((part) =>
          workers.run({ path, name, table: file.fileTable, role, ...(part === null ? {} : { part }) }),
        ),
      );
    try {
      if (version === undefined) return await warehouse.storage.withLocalFile(location, read);
      return (await warehouse.storage.versions(location)?.withLocalFile(version, read)) ?? [];
    } catch (error) {
      const gone = codeOf(error) === 'storage/not-found';
      const why = gone ? 'it was gone when it was to be read' : 'it could not be opened';
      return [unreadResult(why)];
    }
  }

  #note(result: FileResult, by: ScannedFile): void {
    for (const { location, role } of result.references) {
      try {
        const normal = this.#options.warehouse.storage.normalize(location);
        if (this.#named.get(normal)?.role !== 'delete-file') this.#named.set(normal, { role, by });
      } catch {
        const why = 'it names a file by a location that this storage cannot reach';
        this.#options.report.file(by, unreadResult(why));
      }
    }
  }
}

function pathResult(file: ScannedFile, mask: Mask): FileResult {
  const verdict = new Verdict();
  mask.search(file.path, file.fileTable, verdict);
  const match = { kind: 'path', where: 'its own path', shared: !verdict.found } as const;
  return { ...unreadResult(), matches: verdict.any ? [match] : [] };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
