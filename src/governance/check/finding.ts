import type { Place } from '../../errors.ts';

/** What does not fit between the governance files and the tables: one row of the document of `lethe check`. */
export interface Finding {
  /** `no-table`, `no-column`, `unclassified`, … */
  readonly code: string;
  readonly level: 'error' | 'warning';
  readonly table: string | null;
  readonly column: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string;
  readonly remedy: string;
}

/** A table as the checks see it. */
export interface CheckedTable {
  readonly table: string;
  readonly columns: readonly CheckedColumn[];
}

/** A column; what is not known is left out. */
export interface CheckedColumn {
  readonly name: string;
  /** Iceberg type; `struct`, `list` and `map` for what holds other columns. */
  readonly type?: string;
  readonly required?: boolean;
}

/** Where in the files a finding comes from. */
export interface Origin {
  readonly at: Place | null;
  /** What names it, for the message: `the rule`, `the exception`. */
  readonly what: string;
}

/** Findings in the order of the files, then by table and column. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const key = ({ file, line, table, column, code }: Finding) => [
    file ?? '\uffff',
    String(line ?? 0).padStart(9, '0'),
    table ?? '',
    column ?? '',
    code,
  ];
  return [...findings].sort((a, b) => (key(a).join('\0') < key(b).join('\0') ? -1 : 1));
}
