import type { Storage } from '../storage/storage.ts';
import { type Doubt, type FileResult, unreadResult } from './file-scan.ts';
import type { ScannedFile } from './inventory.ts';

/** What came of a file that bounds may be of. */
interface Read {
  isWhole: boolean;
  /** Where in it something was found. */
  readonly places: Set<string>;
}

/**
 * Settles, once every file was read, whose cut bounds are that a long id begins with: where the file that a bound is of was read whole
 * and does not hold the id in that column, the bound is of another value; where it does, of the id; and where the file is gone or could
 * not be read, nobody can tell (rule S5).
 */
export class Doubts {
  readonly #storage: Pick<Storage, 'normalize'>;
  readonly #read = new Map<string, Read>();
  readonly #doubts: { readonly doubt: Doubt; readonly by: ScannedFile }[] = [];

  constructor(storage: Pick<Storage, 'normalize'>) {
    this.#storage = storage;
  }

  /** Takes in what one file, or a part of it, came to. */
  add({ matches, unread, doubts }: FileResult, file: ScannedFile): void {
    const read = this.#read.get(file.location) ?? { isWhole: true, places: new Set() };
    this.#read.set(file.location, read);
    if (unread.length > 0) read.isWhole = false;
    for (const { where } of matches) read.places.add(where);
    for (const doubt of doubts) this.#doubts.push({ doubt, by: file });
  }

  /** What the doubts come to, by the file that raised them. */
  *settle(): Generator<{ readonly by: ScannedFile; readonly result: FileResult }> {
    for (const { doubt, by } of this.#doubts) {
      const read = this.#fileOf(doubt);
      const { where, shared } = doubt;
      if (read?.places.has(`column ${doubt.column}`))
        yield { by, result: { ...unreadResult(), matches: [{ kind: 'bound', where, shared }] } };
      else if (read?.isWhole !== true)
        yield {
          by,
          result: unreadResult(
            `${where} is cut short, and an id that is sought begins with it, perhaps another, too: the file that it is of is not there to tell`,
          ),
        };
    }
  }

  #fileOf({ file }: Doubt): Read | undefined {
    try {
      return this.#read.get(this.#storage.normalize(file));
    } catch {
      return undefined;
    }
  }
}
