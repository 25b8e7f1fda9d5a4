import { InputError, RefusedError } from '../errors.ts';
import { appendLog } from '../storage/log/append-log.ts';
import { readLines } from '../storage/log/read-lines.ts';
import { parseDay } from '../values/day.ts';
import type { Day } from '../values/time.ts';
import { type Entry, type EntryState, type PersonHash, type RegisterLine, readLine } from './entry.ts';
import { ErasedPeople } from './erased-people.ts';
import { type KeySecret, RegisterKeys } from './keys.ts';
import { keyCheckMessage, personMessage } from './message.ts';
import type { RegisterStore, StoredLine } from './store.ts';

const BROKEN = {
  code: 'register/broken-line',
  remedy:
    'Restore the file from its last good copy, or use the version of Lethe that wrote it; never delete the line, which names an erased person',
};

export type OpenRegisterOptions = {
  /** Key id to secret; all that the register's entries were made with, so that old entries go on being found. */
  readonly keys: Readonly<Record<string, KeySecret>>;
  /** The id of the key for new entries. */
  readonly current: string;
  /** Whether a register that is not there, or has no entry, is an error; else it is made with its first entry. */
  readonly mustExist?: boolean;
} & ({ readonly path: string } | { readonly store: RegisterStore });

/** One person of one request, as the erasure writes them down. */
export interface NewEntry {
  readonly request: string;
  readonly subject: string;
  /** The canonical id; a composite id has several parts. */
  readonly id: readonly string[];
  readonly state: EntryState;
  readonly day: Day;
}

/**
 * Opens the register of erasures: an append-only list of requests and keyed hashes of the people they erased (rule G1),
 * against which loads, rebuilds and restores are checked (rule G2).
 *
 * Throws `register/key`, `register/no-current-key`, `register/wrong-key`, `register/missing-key`, `register/no-check`,
 * `register/broken-line`, and with `mustExist` `register/not-found`.
 *
 * @example
 * ```ts
 * const register = await openRegister({
 *   path: 'register.ndjson',
 *   keys: { 2026: process.env.LETHE_REGISTER_KEY! },
 *   current: '2026',
 * });
 * ```
 */
export async function openRegister(options: OpenRegisterOptions): Promise<Register> {
  const keys = await RegisterKeys.from(options.keys, options.current);
  const store = 'store' in options ? options.store : appendLog(options.path, { locked: 'register/locked' });
  const register = new Register(store, keys);
  const entries = await register.entries();
  if (options.mustExist === true && entries.length === 0) throw nobody(store.name);
  return register;
}

/** An open register. Every method reads the store again, so that what another process added counts. */
export class Register {
  readonly #store: RegisterStore;
  readonly #keys: RegisterKeys;

  /** Use {@link openRegister}, which checks the keys. */
  constructor(store: RegisterStore, keys: RegisterKeys) {
    this.#store = store;
    this.#keys = keys;
  }

  /** The file in which it is kept; null where its store is none. */
  get path(): string | null {
    return this.#store.path ?? null;
  }

  /** The person under the current key: what evidence names in place of an id. */
  hash(subject: string, id: readonly string[]): PersonHash {
    return this.#hashUnder(this.#keys.current, subject, id);
  }

  /** Every event, oldest first. Throws as {@link openRegister} does. */
  async entries(): Promise<readonly Entry[]> {
    return eventsOf(this.#checked((await this.#store.read()) ?? []));
  }

  /** Everybody who is erased or being erased, ready to be asked about ids. */
  async erased(): Promise<ErasedPeople> {
    return new ErasedPeople(
      await this.entries(),
      (keyId, subject, id) => this.#hashUnder(keyId, subject, id).hash,
    );
  }

  /**
   * Adds events, durably and in one step; an event whose state is the person's last in that request already is left out,
   * so adding twice is harmless. A person written down under older keys is closed under each of them.
   */
  async add(entries: readonly NewEntry[]): Promise<void> {
    for (const entry of entries) parseDay(entry.day);
    await this.#store.add((there) => {
      const lines = this.#checked(there);
      const last = new Map(eventsOf(lines).map((event) => [nameOf(event), event.state]));
      const events = entries
        .flatMap((entry) => this.#events(entry, last))
        .filter((event) => last.get(nameOf(event)) !== event.state);
      const known = new Set(lines.map((line) => (line.kind === 'key' ? line.keyId : null)));
      const news = [...new Set(events.map((event) => event.keyId))].filter((keyId) => !known.has(keyId));
      const checks = news.map((keyId): RegisterLine => ({ kind: 'key', keyId, check: this.#check(keyId) }));
      return [...checks, ...events].map((line) => JSON.stringify(line));
    });
  }

  #events({ request, subject, id, state, day }: NewEntry, last: ReadonlyMap<string, EntryState>) {
    const event = (person: PersonHash) => ({ kind: 'event', request, ...person, state, day }) as const;
    const elsewhere = this.#keys.ids
      .map((keyId) => event(this.#hashUnder(keyId, subject, id)))
      .filter((each) => state === 'closed' && last.has(nameOf(each)));
    return elsewhere.length > 0 ? elsewhere : [event(this.hash(subject, id))];
  }

  /** Reads the lines and checks that every key is the right one: with a wrong key, everything would look clean. */
  #checked(stored: readonly StoredLine[]): readonly RegisterLine[] {
    const lines = readLines({ name: this.#store.name, lines: stored, read: readLine, broken: BROKEN });
    const checks = new Map<string, string>();
    for (const line of lines) {
      if (line.kind === 'key') checks.set(line.keyId, line.check);
      if (line.kind === 'event' && !this.#keys.has(line.keyId))
        throw missingKey(this.#store.name, line.keyId);
      if (line.kind === 'event' && !checks.has(line.keyId)) throw noCheck(this.#store.name, line.keyId);
    }
    for (const [keyId, check] of checks) {
      if (this.#keys.has(keyId) && this.#check(keyId) !== check) throw wrongKey(this.#store.name, keyId);
    }
    return lines;
  }

  #hashUnder(keyId: string, subject: string, id: readonly string[]): PersonHash {
    return { subject, keyId, hash: this.#keys.hash(keyId, personMessage(subject, id)) };
  }

  #check(keyId: string): string {
    return this.#keys.hash(keyId, keyCheckMessage(keyId));
  }
}

function eventsOf(lines: readonly RegisterLine[]): readonly Entry[] {
  return lines.flatMap((line) => {
    if (line.kind !== 'event') return [];
    const { kind: _, ...entry } = line;
    return [entry];
  });
}

function nameOf({ request, subject, keyId, hash }: Entry | (PersonHash & { request: string })): string {
  return JSON.stringify([request, subject, keyId, hash]);
}

/** A file that was emptied would look as clean as one that is not there: an erasure makes the register, and its first entry, in one step. */
function nobody(name: string): InputError {
  return new InputError('register/not-found', `There is no register at ${name}, or no entry in it`, {
    remedy:
      'Check the path, or restore the file from a copy: the first erasure makes the register, and one without entries would find nobody',
    data: { name },
  });
}

function wrongKey(name: string, keyId: string): InputError {
  return new InputError(
    'register/wrong-key',
    `The key ${JSON.stringify(keyId)} is not the one that ${name} was made with`,
    {
      remedy: 'Pass the key that made the entries; a new key needs a new key id',
      data: { name, keyId },
    },
  );
}

function missingKey(name: string, keyId: string): InputError {
  return new InputError(
    'register/missing-key',
    `${name} has entries under the key ${JSON.stringify(keyId)}, which was not given`,
    {
      remedy: 'Pass that key too: without it, its people would not be found',
      data: { name, keyId },
    },
  );
}

function noCheck(name: string, keyId: string): RefusedError {
  return new RefusedError(
    'register/no-check',
    `${name} has entries under the key ${JSON.stringify(keyId)} and no check value of it`,
    {
      remedy: 'A line was taken out: restore the file from its last good copy',
      data: { name, keyId },
    },
  );
}
