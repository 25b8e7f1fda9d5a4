import type { Storage } from '../storage/storage.ts';

/** Files by name, in the storage's normal form, and the folders in which they are. */
export interface FileNames {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

export function fileNames(files: ReadonlySet<string>): FileNames {
  return { files, folders: new Set([...files].map(folderOf)) };
}

/** What a folder is really called. */
export type RealFolder = (folder: string) => Promise<string>;

/** Asks the storage once for each folder, for as long as one removal is prepared: a link can be put in place between two. */
export function realFolders(storage: Storage): RealFolder {
  const known = new Map<string, string>();
  return async (folder) => {
    const real = known.get(folder) ?? (await storage.realFolder?.(folder)) ?? folder;
    known.set(folder, real);
    return real;
  };
}

/**
 * Those of `files` that no name leads to: neither their own, nor one in a folder that is theirs by another name, through a link
 * between folders. A listing shows a file by where it lies, metadata names it by where it was written to (hazard 21).
 */
export async function notNamed(
  files: Iterable<string>,
  named: FileNames,
  real: RealFolder,
): Promise<ReadonlySet<string>> {
  const left = new Set([...files].filter((file) => !named.files.has(file)));
  if (left.size === 0) return left;
  const spellings = new Map<string, string[]>();
  for (const folder of named.folders) {
    const itself = await real(folder);
    const folders = spellings.get(itself);
    if (folders === undefined) spellings.set(itself, [folder]);
    else folders.push(folder);
  }
  for (const file of left) {
    const folder = folderOf(file);
    const name = file.slice(folder.length);
    const others = spellings.get(await real(folder)) ?? [];
    if (others.some((other) => named.files.has(`${other}${name}`))) left.delete(file);
  }
  return left;
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/'));
}
