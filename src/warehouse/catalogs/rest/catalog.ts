import { LetheError } from '../../../errors.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { Clock } from '../../../values/time.ts';
import type { Catalog, CatalogEntry, LoadedTable, TableCommit } from '../../catalog.ts';
import { noSuchTable, tableExists } from '../../errors.ts';
import type { TableMetadata } from '../../iceberg/metadata/metadata.ts';
import { checkRequirements, conflict } from '../../iceberg/metadata/updates.ts';
import type { TableRefusal } from '../../warehouse.ts';
import { entriesByName } from '../entries.ts';
import { neverAtRest, refused, unknownOutcome } from '../failures.ts';
import { folderRival } from '../folder-rival.ts';
import { type Patience, pause } from '../patience.ts';
import type { Places } from '../places.ts';
import { nameParts } from '../table-name.ts';
import type { HandedOut, VendedAccess } from '../vended.ts';
import { credentialsOf, type TableAnswer, tableAnswer } from './answers.ts';
import { type Auth, tableToken } from './auth.ts';
import type { RestClient } from './client.ts';
import type { CatalogConfig } from './config.ts';
import { isUnknown, statusOf } from './failures.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import { landingOf } from './landed.ts';
import { listTables } from './listing.ts';
import { makeNamespace, newTableRequest } from './making.ts';
import { identifierOf, type RestIdentifier, type RestPaths, restPaths, tableOf } from './names.ts';

/** What {@link restCatalog} needs. */
export interface RestCatalogOptions {
  readonly client: RestClient;
  readonly auth: Auth;
  readonly config: CatalogConfig;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly places: Places;
  readonly handedOut: HandedOut;
  readonly patience: Patience;
}

/** Commits that the catalog may refuse although nothing speaks against them: a minute or two of them. */
const MOST_RACES = 100;
const RACE_BACKOFF = { firstMs: 10, longestMs: 1_000 };
/** How often a commit is sent under one key. */
const SENDS = 3;
/** How often, and how long, a table is read after a commit without a clear answer. */
const READS = 6;
const READ_BACKOFF = { firstMs: 250, longestMs: 8_000 };

/**
 * A service that speaks Iceberg's REST specification (design section 12). It checks the requirements and writes the metadata; what it
 * does not answer clearly is read off the table, and no commit is ever sent again before that.
 */
export function restCatalog(options: RestCatalogOptions): Catalog {
  return new RestCatalog(options);
}

class RestCatalog implements Catalog {
  readonly #parts: RestCatalogOptions;
  readonly #client: RestClient;
  readonly #paths: RestPaths;
  /** Tables whose names cannot be taken apart at their dots. */
  #identifiers: ReadonlyMap<string, RestIdentifier> = new Map();
  readonly #rivals = new Map<string, TableRefusal | null>();
  /** Who asks about a table, where the catalog gave a token for it. */
  readonly #tokens = new Map<string, Auth>();

  constructor(options: RestCatalogOptions) {
    this.#parts = options;
    this.#client = options.client;
    this.#paths = restPaths(options.config.prefix, options.config.separator);
  }

  async list(): Promise<readonly CatalogEntry[]> {
    const dotted = new Map<string, RestIdentifier>();
    const entries: CatalogEntry[] = [];
    for await (const identifier of listTables(this.#client, this.#paths)) {
      const table = tableOf(identifier);
      entries.push({ table, location: null });
      if (identifier.namespace.length !== identifierOf(table).namespace.length) dotted.set(table, identifier);
    }
    this.#identifiers = dotted;
    return entriesByName(entries);
  }

  async load(table: string): Promise<LoadedTable> {
    try {
      return await this.#read(table, this.#identifierOf(table));
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
    }
    const known = (await this.list()).map((entry) => entry.table);
    const dotted = this.#identifiers.get(table);
    if (dotted === undefined) throw noSuchTable(table, known);
    return this.#read(table, dotted);
  }

  /** The catalog chooses, with the creation. */
  async defaultLocation(table: string): Promise<null> {
    nameParts(table);
    return null;
  }

  async create(table: string, metadata: TableMetadata): Promise<LoadedTable> {
    nameParts(table);
    const identifier = identifierOf(table);
    await makeNamespace(this.#client, this.#paths, identifier.namespace);
    let document: unknown;
    try {
      document = await this.#client.post(
        this.#paths.tables(identifier.namespace),
        newTableRequest(identifier.name, metadata),
      );
    } catch (cause) {
      if (statusOf(cause) === 409) throw tableExists(table);
      throw isUnknown(cause) ? unknownOutcome(table, 'the table was made', cause) : cause;
    }
    return this.#loaded(table, identifier, this.#answer(document));
  }

  async commit(table: string, change: TableCommit): Promise<LoadedTable> {
    if (!this.#parts.config.commits) throw refused(table, READ_ONLY);
    for (let race = 0; race < MOST_RACES; race += 1) {
      const identifier = this.#identifierOf(table);
      let document: unknown;
      try {
        document = await this.#send(table, identifier, change);
      } catch (cause) {
        if (isMissing(cause)) {
          // Loading says why, or finds the table under a name with dots.
          await this.load(table);
          continue;
        }
        if (isUnknown(cause)) return this.#readOff(table, change, cause);
        if (statusOf(cause) !== 409) throw cause;
        const now = await this.load(table);
        if (landingOf(now.metadata, change) === 'landed') return now;
        checkRequirements(now.metadata, change.requirements);
        // The catalog lost a race of its own: what it was asked for may still be done.
        await pause(this.#parts.patience, race, RACE_BACKOFF);
        continue;
      }
      try {
        return await this.#loaded(table, identifier, this.#answer(document));
      } catch (cause) {
        if (!isUnknown(cause)) throw cause;
        return this.#readOff(table, change, cause);
      }
    }
    throw neverAtRest(table, MOST_RACES);
  }

  /** Sends a commit once; more than once only under a key by which the catalog carries it out once. */
  async #send(table: string, identifier: RestIdentifier, change: TableCommit): Promise<unknown> {
    const { config, clock, patience } = this.#parts;
    const idempotencyKey = config.idempotent ? idempotencyKeyOf(clock, patience.random) : undefined;
    const along = { auth: this.#tokens.get(table), idempotencyKey };
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.#client.post(this.#paths.table(identifier), { identifier, ...change }, along);
      } catch (cause) {
        if (idempotencyKey === undefined || !isUnknown(cause) || tried >= SENDS) throw cause;
        await pause(patience, tried, READ_BACKOFF);
      }
    }
  }

  async drop(table: string): Promise<void> {
    await this.load(table);
    try {
      await this.#client.delete(this.#paths.table(this.#identifierOf(table)), { purgeRequested: 'false' });
    } catch (cause) {
      if (isMissing(cause)) return;
      throw isUnknown(cause) ? unknownOutcome(table, 'the table was dropped', cause) : cause;
    }
  }

  /**
   * The state that a commit made, although the catalog did not say so.
   *
   * @throws FailedError `catalog/conflict` where it cannot have been made, `warehouse/unknown-outcome` where that cannot be told
   */
  async #readOff(table: string, change: TableCommit, cause: unknown): Promise<LoadedTable> {
    for (let read = 0; read < READS; read += 1) {
      await pause(this.#parts.patience, read, READ_BACKOFF);
      let now: LoadedTable;
      try {
        now = await this.load(table);
      } catch (failure) {
        // A table that was renamed meanwhile may have the commit under its new name.
        if (failure instanceof LetheError && failure.code === 'warehouse/no-such-table') break;
        continue;
      }
      const landing = landingOf(now.metadata, change);
      if (landing === 'landed') return now;
      if (landing === 'lost')
        throw conflict('the catalog failed, and another commit took the place', { table });
    }
    throw unknownOutcome(table, 'the commit was made', cause);
  }

  async #read(table: string, identifier: RestIdentifier): Promise<LoadedTable> {
    const answer = this.#answer(await this.#client.get(this.#paths.table(identifier), { snapshots: 'all' }));
    return this.#loaded(table, identifier, answer);
  }

  #answer(document: unknown): TableAnswer {
    return tableAnswer(document, { server: this.#client.server, properties: this.#parts.config.properties });
  }

  async #loaded(table: string, identifier: RestIdentifier, answer: TableAnswer): Promise<LoadedTable> {
    const { metadata, metadataFile, vended, token } = answer;
    this.#parts.places.check(table, metadata, metadataFile);
    if (token === undefined) this.#tokens.delete(table);
    else this.#tokens.set(table, tableToken(token, this.#parts.auth));
    this.#parts.handedOut.learn(vended, () => this.#askAgain(table, identifier));
    const refusal = this.#parts.config.commits ? await this.#rivalOf(metadataFile) : READ_ONLY;
    return { table, metadata, metadataFile, refusal };
  }

  /** A folder is looked at once: nobody begins to read a table by its folder while it is erased from. */
  async #rivalOf(metadataFile: string): Promise<TableRefusal | null> {
    const folder = metadataFile.slice(0, metadataFile.lastIndexOf('/'));
    const known = this.#rivals.get(folder);
    if (known !== undefined) return known;
    const found = await folderRival(this.#parts.storage, metadataFile);
    this.#rivals.set(folder, found);
    return found;
  }

  /** New keys for a table's files: by their own endpoint, or with the table where the catalog has none. */
  async #askAgain(table: string, identifier: RestIdentifier): Promise<readonly VendedAccess[]> {
    const { properties } = this.#parts.config;
    try {
      const path = `${this.#paths.table(identifier)}/credentials`;
      const document = await this.#client.get(path, {}, { auth: this.#tokens.get(table) });
      const given = credentialsOf(
        (document as Record<string, unknown> | null)?.['storage-credentials'],
        properties,
      );
      if (given.length > 0) return given;
    } catch (cause) {
      if (![400, 404, 405, 406, 501].includes(statusOf(cause) ?? 0)) throw cause;
    }
    return this.#answer(await this.#client.get(this.#paths.table(identifier))).vended;
  }

  #identifierOf(table: string): RestIdentifier {
    return this.#identifiers.get(table) ?? identifierOf(table);
  }
}

const READ_ONLY: TableRefusal = {
  code: 'read-only-catalog',
  reason: 'the catalog says that it takes no commits',
  remedy: 'Use an endpoint of the catalog that takes commits, or a user who may make them',
};

/** Only what the catalog itself says: a 404 from something before it would make a table seem gone. */
function isMissing(cause: unknown): boolean {
  return (
    cause instanceof LetheError &&
    statusOf(cause) === 404 &&
    typeof cause.data.type === 'string' &&
    cause.data.type.startsWith('NoSuch')
  );
}
