import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusedError } from '../../errors.ts';
import type { Traces } from '../../scan/traces.ts';
import { type AppendLog, appendLog } from '../../storage/log/append-log.ts';
import { withLock } from '../../storage/log/lock.ts';
import { onDisk } from '../../storage/log/on-disk.ts';
import { sha256 } from '../../values/digest.ts';
import type { Plan } from '../plan/plan.ts';
import { Journal, type JournalStart } from './journal.ts';
import { type Secrets, sealSecrets, unsealSecrets, unsealTraces } from './private-state.ts';

const JOURNAL = 'journal.ndjson';
/** Folders of requests; other folders here belong to somebody else. */
const REQUEST_FOLDER = /^[0-9a-f]{32}$/;
const SECRETS = 'private.json';
const NAMED = 'named.ndjson';
/** All that a request's folder ever holds. */
const OWN = new Set([JOURNAL, SECRETS, `${SECRETS}.draft`, NAMED]);

/**
 * The folder of erasure jobs (rule E4): one folder, mode 0700, for each request that has begun and is not over, with its journal and,
 * mode 0600, the one file that holds values of people. Whatever else lies in it is left alone.
 */
export class StateFolder {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Runs `use` while no other job runs here. Throws `erasure/running`. */
  async exclusively<T>(use: () => Promise<T>): Promise<T> {
    await onDisk(this.#root, async () => {
      // Only one that is made here: others may use a folder that was there, and would be shut out of it.
      const made = await mkdir(this.#root, { recursive: true, mode: 0o700 });
      if (made !== undefined) await chmod(this.#root, 0o700);
    });
    return withLock({ path: join(this.#root, 'lock'), code: 'erasure/running', patient: false }, async () => {
      await this.#removeUnbegun();
      return use();
    });
  }

  /** The journals of all requests that are not over. */
  async journals(): Promise<readonly Journal[]> {
    const folders = await this.#folders();
    const journals = await Promise.all(folders.map((folder) => Journal.open(join(folder, JOURNAL))));
    return journals.filter((journal) => journal !== null);
  }

  async journal(request: string): Promise<Journal | null> {
    return Journal.open(join(this.#folder(request), JOURNAL));
  }

  /** Writes the secrets, then the journal: where there is a journal, the secrets are whole. */
  async begin(start: JournalStart, secrets: Secrets): Promise<Journal> {
    const folder = this.#folder(start.request);
    try {
      await onDisk(folder, () => writeSecrets(folder, sealSecrets(secrets)));
      return await Journal.start(join(folder, JOURNAL), start);
    } catch (error) {
      // Nothing has begun, so no value may stay: a full disk often is full of other things.
      if ((await Journal.open(join(folder, JOURNAL)).catch(() => null)) === null) await removeOwn(folder);
      throw error;
    }
  }

  /** The traces of a request; null where it has not begun, or is over. */
  async traces(request: string): Promise<Traces | null> {
    const path = join(this.#folder(request), SECRETS);
    const text = await readFile(path, 'utf8').catch(() => null);
    return text === null ? null : unsealTraces(text);
  }

  async secrets(request: string, plan: Plan): Promise<Secrets> {
    const path = join(this.#folder(request), SECRETS);
    try {
      return unsealSecrets(await readFile(path, 'utf8'), plan);
    } catch {
      // The cause could quote the file.
      throw new RefusedError('erasure/state-damaged', `The private file of ${request} cannot be read`, {
        remedy: `Look at ${path}; without it the rows that lead to copies cannot be known again, so ask for help before removing it`,
        data: { request, path },
      });
    }
  }

  /** Where a request keeps the files that tables once named. Only the one job that runs here adds to it. */
  namedFiles(request: string): AppendLog {
    return appendLog(join(this.#folder(request), NAMED), { locked: null });
  }

  /** Forgets a request that is over, its values first. */
  async end(request: string): Promise<void> {
    const folder = this.#folder(request);
    await rm(join(folder, SECRETS), { force: true });
    await rm(join(folder, NAMED), { force: true });
    await rm(folder, { recursive: true, force: true });
  }

  /** A job that was killed before its journal began has changed nothing, and must leave no value behind. */
  async #removeUnbegun(): Promise<void> {
    for (const folder of await this.#folders()) {
      const journal = await Journal.open(join(folder, JOURNAL));
      if (journal === null) await removeOwn(folder);
    }
  }

  async #folders(): Promise<readonly string[]> {
    const entries = await readdir(this.#root, { withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isDirectory() && REQUEST_FOLDER.test(entry.name))
      .map((entry) => join(this.#root, entry.name));
  }

  /** A request's own name never becomes a path. */
  #folder(request: string): string {
    return join(this.#root, sha256(request).slice(0, 32));
  }
}

/** Removes a request's folder; one that holds anything else is somebody's whose name looks like it, such as a table's. */
async function removeOwn(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.every((name) => OWN.has(name))) await rm(folder, { recursive: true, force: true });
}

async function writeSecrets(folder: string, text: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const draft = join(folder, `${SECRETS}.draft`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, SECRETS));
}
