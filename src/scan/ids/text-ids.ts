import type { FileScan } from '../file-scan.ts';
import { Verdict } from '../text/verdict.ts';
import type { Lookup } from './sought.ts';
import { CompositeText } from './text-composites.ts';
import { escaped, pairOf } from './text-pairs.ts';
import { cellsOf, type Header, headerOf } from './text-rows.ts';

/** Keys of a document are taken from its beginning. */
const BEGINNING = 1 << 16;
const KEY = /"([^"\\]{1,200})"\s*:/g;

/**
 * Seeks ids in files of text, whose grammar the scan does not know, by the names of their columns (rule S2): a value behind such a
 * name (JSON, YAML, `learner_id=3590`, `<learner_id>3590<`), and the cells below it where the first line is a header. A number
 * that stands alone is nobody's id. Made once for each file, which may come in several pieces.
 */
export class TextIds {
  readonly #scan: FileScan;
  #columns: readonly SoughtColumn[] | null = null;
  #pairs: RegExp | null = null;
  #header: Header | null = null;
  #composites: readonly CompositeText[] = [];

  constructor(scan: FileScan) {
    this.#scan = scan;
  }

  /** Searches the next piece of the file. */
  search(text: string): void {
    if (this.#columns === null) this.#begin(text);
    if (this.#columns!.length === 0 && this.#composites.length === 0) return;
    if (this.#pairs?.test(text)) this.#searchPairs(text);
    if (this.#header !== null) this.#searchRows(text, this.#header);
    for (const composite of this.#composites) composite.search(text);
    for (const { name, verdict } of this.#columns!) {
      if (verdict.any)
        this.#scan.note({ kind: 'other', where: `a value of ${name}`, shared: !verdict.found });
    }
  }

  /** Says what the file's columns are, so that a copy of a table is recognised, and which of them are sought. */
  #begin(text: string): void {
    const beginning = text.slice(0, BEGINNING);
    const keys = [...beginning.matchAll(KEY)].map((match) => match[1]!);
    const first = beginning.split(/\r?\n/, 1)[0]!.replace(/^\uFEFF/, '');
    this.#scan.columns([...new Set([...keys, ...first.split(/[,;|\t]/).map(bare)])]);
    const { ids, table } = this.#scan;
    this.#columns = ids.namesSoughtIn(table).flatMap((name) => {
      const lookup = ids.lookups(table, { name }, { kind: 'text' })?.text;
      return lookup === undefined ? [] : [{ name, lookup, verdict: new Verdict() }];
    });
    this.#composites = ids
      .compositesSoughtIn(table)
      .map((trace) => new CompositeText(trace, { scan: this.#scan, first }));
    if (this.#columns.length === 0) return;
    const names = this.#columns.map(({ name }) => name);
    this.#pairs = new RegExp(names.map(escaped).join('|'), 'i');
    this.#header = headerOf(first, names);
  }

  #searchPairs(text: string): void {
    for (const { name, lookup, verdict } of this.#columns!) {
      for (const match of text.matchAll(pairOf(name))) {
        see(match[1] ?? match[2] ?? match[3]!, lookup, verdict);
        if (verdict.found) break;
      }
    }
  }

  #searchRows(text: string, { delimiter, places }: Header): void {
    for (const line of text.split(/\r?\n/)) {
      const { cells, whole } = cellsOf(line, delimiter);
      for (const { name, lookup, verdict } of this.#columns!) {
        const place = places.get(name);
        if (place === undefined) continue;
        // A value of several lines puts its cells out of place: then each of them is looked at.
        for (const cell of whole ? cells.slice(place, place + 1) : cells) see(cell, lookup, verdict);
      }
    }
  }
}

interface SoughtColumn {
  readonly name: string;
  readonly lookup: Lookup<string>;
  readonly verdict: Verdict;
}

function see(value: string, lookup: Lookup<string>, verdict: Verdict): void {
  const found = lookup(value) ?? lookup(value.trim());
  if (found !== undefined) verdict.add(found);
}

function bare(cell: string): string {
  return cell.trim().replace(/^(["'])(.*)\1$/, '$2');
}
