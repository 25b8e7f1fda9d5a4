import type { NameOnly, Storage } from './storage.ts';

/** A storage for each kind of location. */
export interface SchemeStorages {
  readonly local: Storage;
  /** `s3:`, `s3a:` and `s3n:`. */
  readonly s3: Storage;
}

/** One storage out of two: each location goes to the one that holds its kind. */
export function storageByScheme({ local, s3 }: SchemeStorages): Storage {
  const of = (location: string): Storage => (/^s3[an]?:/i.test(location) ? s3 : local);
  return {
    normalize: (location) => of(location).normalize(location),
    stat: (location) => of(location).stat(location),
    statIfThere: (location) => of(location).statIfThere(location),
    read: (location, range) => of(location).read(location, range),
    writeIfAbsent: (location, bytes, onDisk) => of(location).writeIfAbsent(location, bytes, onDisk),
    replace: (location, bytes, onDisk) => of(location).replace(location, bytes, onDisk),
    list: (prefix) => of(prefix).list(prefix),
    listBeginning: (start) => of(start).listBeginning?.(start) ?? null,
    foldersWith: (prefix, test) => of(prefix).foldersWith?.(prefix, test) ?? null,
    namesOnly: (prefix): AsyncIterable<NameOnly> => of(prefix).namesOnly?.(prefix) ?? nothing(),
    realFolder: async (folder) => (await of(folder).realFolder?.(folder)) ?? folder,
    removeEmptyPartitions: async (prefix) => (await of(prefix).removeEmptyPartitions?.(prefix)) ?? [],
    remove: (location) => of(location).remove(location),
    withLocalFile: (location, use) => of(location).withLocalFile(location, use),
    publish: (localPath, location) => of(location).publish(localPath, location),
    copies: (location) => of(location).copies(location),
    versions: (location) => of(location).versions(location),
    close: async () => {
      await local.close?.();
      await s3.close?.();
    },
  };
}

async function* nothing(): AsyncGenerator<never> {}
