import type { FileTable, IdSearch } from './ids/id-search.ts';
import { searchPathIds } from './ids/path-ids.ts';
import { fold } from './text/fold.ts';
import type { TextSearch } from './text/text-search.ts';
import { Verdict } from './text/verdict.ts';

const MASK = '***';

/** Searches paths and names for traces, and shows them without what was found (rule E3). */
export class Mask {
  readonly #text: TextSearch;
  readonly #ids: IdSearch;

  constructor(text: TextSearch, ids: IdSearch) {
    this.#text = text;
    this.#ids = ids;
  }

  /** Notes in `verdict` whether a path holds a trace, as it is or percent-encoded. */
  search(path: string, table: FileTable, verdict: Verdict): void {
    for (const segment of path.split('/')) this.#text.text(segment, verdict);
    searchPathIds(path, { ids: this.#ids, table, verdict });
  }

  /**
   * The path with `***` from where a match begins to the end of its segment or value: a trace is only the beginning of the
   * value that it stands for.
   */
  path(path: string, table: FileTable): string {
    let shown = path;
    searchPathIds(path, { ids: this.#ids, table, verdict: new Verdict() }, (value) => {
      shown = shown.replaceAll(`=${value}`, `=${MASK}`);
    });
    return shown
      .split('/')
      .map((segment) => this.#segment(segment))
      .join('/');
  }

  /** A name or description out of a file, in which any match is masked. */
  name(text: string): string {
    return text.split(/( )/).every((word) => !this.#holds(word)) && !this.#holds(text)
      ? text
      : this.#segment(text);
  }

  #segment(segment: string): string {
    if (!this.#holds(segment)) return segment;
    const start = segment.indexOf('=') + 1;
    // The latest beginning from which the rest still holds the match: everything before it says nothing.
    const marks = [...segment.matchAll(/[\s\S]/gu)].map((match) => match.index).filter((at) => at >= start);
    const at = marks.findLast((place) => this.#holds(segment.slice(place))) ?? 0;
    const before = segment.slice(0, at);
    return this.#holds(before) || fold(before) === '' ? MASK : before + MASK;
  }

  #holds(text: string): boolean {
    const verdict = new Verdict();
    this.#text.text(text, verdict);
    return verdict.any;
  }
}
