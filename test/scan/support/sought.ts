import { basename } from 'node:path';
import { type FileRunner, openFileRunner, type Sought } from '../../../src/scan/file-runner.ts';
import type { FileResult } from '../../../src/scan/file-scan.ts';
import { type FileTable, NO_TABLE } from '../../../src/scan/ids/id-search.ts';
import type { IdTrace, TextTrace } from '../../../src/scan/traces.ts';
import type { Literal } from '../../../src/values/literal.ts';

/** A trace as noting it would make it; `text` is folded already. */
export function text(value: string, given: Partial<TextTrace> = {}): TextTrace {
  return { text: value, wholeCell: false, shared: false, ...given };
}

/** An id sought in one column, of every table unless one is given. */
export function id(column: string, literal: Literal, given: Partial<IdTrace> = {}): IdTrace {
  return { table: null, columns: [column], values: [[literal]], expectedIn: [], shared: false, ...given };
}

export const long = (value: string | number | bigint): Literal => ({ type: 'long', value: String(value) });

/** Makes a scan of single files. */
export async function scanner(
  sought: Partial<Sought>,
): Promise<(path: string, table?: FileTable) => FileResult> {
  const run: FileRunner = await openFileRunner({ texts: [], ids: [], hashes: [], ...sought });
  return (path, table = NO_TABLE) => run({ path, name: basename(path), table, role: null });
}
