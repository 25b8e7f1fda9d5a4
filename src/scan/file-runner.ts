import { openLocalFile } from '../storage/local-reader.ts';
import { type FileResult, type FileRole, FileScan } from './file-scan.ts';
import { type FileTable, IdSearch } from './ids/id-search.ts';
import { openCodecs } from './parquet/codecs.ts';
import { type Part, scanFile } from './scan-file.ts';
import { TextSearch } from './text/text-search.ts';
import type { HashTrace, IdTrace, TextTrace } from './traces.ts';

/** What every file of a scan is searched for: plain data, so that it can be handed to a worker thread. */
export interface Sought {
  readonly texts: readonly TextTrace[];
  readonly ids: readonly IdTrace[];
  readonly hashes: readonly HashTrace[];
}

/** One file, or some row groups of one, to scan. */
export interface FileJob {
  /** A path on this machine. */
  readonly path: string;
  /** The name under which its storage keeps it, without folders. */
  readonly name: string;
  readonly table: FileTable;
  readonly role: FileRole | null;
  readonly part?: Part;
}

/** Scans one file after the other. */
export type FileRunner = (job: FileJob) => FileResult;

/** Makes the searches once, for all files of a thread. */
export async function openFileRunner({ texts, ids, hashes }: Sought): Promise<FileRunner> {
  const text = new TextSearch(texts);
  const idSearch = new IdSearch(ids);
  const sketched = new Map(hashes.map(({ hash, shared }) => [hash, shared]));
  const unpack = await openCodecs();
  return ({ path, name, table, role, part }) => {
    const scan = new FileScan({ text, ids: idSearch, hashes: sketched, table, role, name });
    const source = openLocalFile(path);
    try {
      scanFile(source, scan, part === undefined ? { unpack } : { unpack, part });
      return scan.result(source.bytesRead);
    } finally {
      source.close();
    }
  };
}
