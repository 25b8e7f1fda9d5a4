import { recogniseCopy } from './ids/copies.ts';
import type { FileTable, IdSearch } from './ids/id-search.ts';
import type { PlaceKind } from './report.ts';
import type { TextSearch } from './text/text-search.ts';
import { Verdict } from './text/verdict.ts';
import { whyUnread } from './unread.ts';

/** What a file is to its table, as the metadata that names it says. */
export type FileRole = 'data' | 'delete-file' | 'statistics' | 'metadata';

/** A place in a file that holds the person. */
export interface Match {
  readonly kind: PlaceKind;
  readonly where: string;
  readonly shared: boolean;
}

/** A file that metadata names. */
export interface Reference {
  readonly location: string;
  readonly role: FileRole;
}

/**
 * A bound that a long id that is sought begins with, cut short. Whether it is of that id or of another with the same beginning, the file
 * can tell that the bound is of.
 */
export interface Doubt {
  readonly file: string;
  readonly column: string;
  readonly where: string;
  readonly shared: boolean;
}

/** What one file came to; plain data, so that it can cross from a worker thread. */
export interface FileResult {
  readonly matches: readonly Match[];
  readonly unread: readonly string[];
  readonly bytes: number;
  readonly references: readonly Reference[];
  readonly doubts: readonly Doubt[];
}

/** The result of a file that holds nothing of which anybody knows, and why it is not proven. */
export function unreadResult(...unread: readonly string[]): FileResult {
  return { matches: [], unread, bytes: 0, references: [], doubts: [] };
}

/** Everything that a format's reader needs, and where it notes what it finds: one for each file. */
export class FileScan {
  readonly text: TextSearch;
  readonly ids: IdSearch;
  table: FileTable;
  readonly hashes: ReadonlyMap<string, boolean>;
  readonly role: FileRole | null;
  /** The file's own name, without folders. */
  readonly name: string;
  readonly #matches = new Map<string, Match>();
  readonly #unread = new Set<string>();
  readonly #references: Reference[] = [];
  readonly #doubts: Doubt[] = [];

  constructor(options: {
    readonly text: TextSearch;
    readonly ids: IdSearch;
    readonly hashes: ReadonlyMap<string, boolean>;
    readonly table: FileTable;
    readonly role: FileRole | null;
    readonly name: string;
  }) {
    this.text = options.text;
    this.ids = options.ids;
    this.hashes = options.hashes;
    this.table = options.table;
    this.role = options.role;
    this.name = options.name;
  }

  /** Searches one place, and notes it where anything was found. A reader's failure makes the place not proven. */
  place(kind: PlaceKind, where: string, search: (verdict: Verdict) => void): void {
    const verdict = new Verdict();
    this.attempt(() => search(verdict));
    if (verdict.any) this.note({ kind, where, shared: !verdict.found });
  }

  /** Notes a match; of two in one place, the one that is not shared stays. */
  note(match: Match): void {
    const key = `${match.kind} ${match.where}`;
    if (this.#matches.get(key)?.shared !== false) this.#matches.set(key, match);
  }

  /** Says which columns the file has, so that a copy of a table is recognised where no table claims it. */
  columns(names: readonly string[]): void {
    this.table = recogniseCopy(this.table, names);
  }

  unread(why: string): void {
    this.#unread.add(why);
  }

  /** Runs a reader; its failure is noted and ends only this part. False where it failed. */
  attempt(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.unread(whyUnread(error));
      return false;
    }
  }

  /** Whether anything that is not shared was found. */
  get holds(): boolean {
    return [...this.#matches.values()].some((match) => !match.shared);
  }

  refer(location: string, role: FileRole): void {
    this.#references.push({ location, role });
  }

  doubt(doubt: Doubt): void {
    this.#doubts.push(doubt);
  }

  result(bytes: number): FileResult {
    return {
      matches: [...this.#matches.values()],
      unread: [...this.#unread],
      bytes,
      references: this.#references,
      doubts: this.#doubts,
    };
  }
}
