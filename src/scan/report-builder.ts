import type { FileResult } from './file-scan.ts';
import { NO_TABLE } from './ids/id-search.ts';
import type { ScannedFile } from './inventory.ts';
import type { Mask } from './mask.ts';
import type { Found, ScanReport, ScanTotals, TableReport } from './report.ts';

type Unread = TableReport['unread'][number];

interface Group {
  readonly files: Set<string>;
  bytes: number;
  /** Each place once; of two in one place, the one that is not shared stays. */
  readonly found: Map<string, Found>;
  readonly unread: Map<string, Unread>;
  readonly holding: Set<string>;
  readonly shared: Set<string>;
  readonly notProven: Set<string>;
}

/** Gathers what the files came to, by table and folder. Nothing goes in without having been masked. */
export class ReportBuilder {
  readonly #groups = new Map<string, Group>();
  readonly #mask: Mask;

  constructor(mask: Mask, tables: readonly string[]) {
    this.#mask = mask;
    for (const table of tables) this.#group(table);
  }

  file(file: ScannedFile, result: FileResult): void {
    const group = this.#group(file.group);
    group.files.add(file.location);
    group.bytes += result.bytes;
    if (result.matches.length === 0 && result.unread.length === 0) return;
    const shown = this.#mask.path(file.location, file.fileTable);
    for (const match of result.matches) {
      const where = this.#mask.name(match.where);
      const place = JSON.stringify([shown, match.kind, where]);
      if (group.found.get(place)?.shared !== false)
        group.found.set(place, { file: shown, kind: match.kind, where, shared: match.shared });
      (match.shared ? group.shared : group.holding).add(file.location);
    }
    for (const why of result.unread)
      this.#unread(group, file.location, { file: shown, why: this.#mask.name(why) });
  }

  /** Something that could not even be listed. */
  failure({
    group,
    what,
    why,
  }: {
    readonly group: string;
    readonly what: string;
    readonly why: string;
  }): void {
    this.#unread(this.#group(group), what, { file: what, why });
  }

  build(searched: ScanReport['searched'], folder: string | null): ScanReport {
    const tables = [...this.#groups].map(([name, group]) => tableReport(name, group));
    const sum = (of: (table: TableReport) => number): number =>
      tables.reduce((total, table) => total + of(table), 0);
    const totals: ScanTotals = {
      files: sum((table) => table.files),
      bytes: sum((table) => table.bytes),
      holding: sum((table) => table.holding),
      notProven: sum((table) => table.notProven),
      shared: sum((table) => table.shared),
    };
    return {
      searched,
      folder: folder === null ? null : this.#mask.path(folder, NO_TABLE),
      tables: tables.map((table) => ({ ...table, table: this.#mask.path(table.table, NO_TABLE) })),
      totals,
    };
  }

  #group(name: string): Group {
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = {
        files: new Set(),
        bytes: 0,
        found: new Map(),
        unread: new Map(),
        holding: new Set(),
        shared: new Set(),
        notProven: new Set(),
      };
      this.#groups.set(name, group);
    }
    return group;
  }

  #unread(group: Group, location: string, entry: Unread): void {
    group.notProven.add(location);
    group.unread.set(JSON.stringify([entry.file, entry.why]), entry);
  }
}

function tableReport(name: string, group: Group): TableReport {
  const order = (a: { readonly file: string }, b: { readonly file: string }): number =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
  return {
    table: name,
    files: group.files.size,
    bytes: group.bytes,
    holding: group.holding.size,
    notProven: group.notProven.size,
    shared: [...group.shared].filter((file) => !group.holding.has(file)).length,
    found: [...group.found.values()].sort(order),
    unread: [...group.unread.values()].sort(order),
  };
}
