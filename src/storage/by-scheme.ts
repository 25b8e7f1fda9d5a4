import type { FileVersion, FileVersions, NameOnly, Storage } from './storage.ts';

/** A storage for each kind of location. */
export interface SchemeStorages {
  readonly local: Storage;
  /** `s3:`, `s3a:` and `s3n:`. */
  readonly s3: Storage;
}

/** One storage out of two: each location goes to the one that holds its kind. */
export function storageByScheme({ local, s3 }: SchemeStorages): Storage {
  const of = (location: string): Storage => (/^s3[an]?:/i.test(location) ? s3 : local);
  const versions: FileVersions = {
    list: (prefix) => of(prefix).versions?.list(prefix) ?? nothing(),
    withLocalFile: (version, use) => versionsOf(version).withLocalFile(version, use),
    remove: async (all) => {
      const stores = new Map<FileVersions, FileVersion[]>();
      for (const version of all) {
        const store = versionsOf(version);
        stores.set(store, [...(stores.get(store) ?? []), version]);
      }
      const kept = [];
      for (const [store, some] of stores) kept.push(...(await store.remove(some)));
      return kept;
    },
    locks: async (prefix, now) => (await of(prefix).versions?.locks(prefix, now)) ?? null,
  };
  const versionsOf = ({ location }: FileVersion): FileVersions => {
    const found = of(location).versions;
    if (found === undefined) throw new TypeError('a storage without versions gave none');
    return found;
  };
  return {
    capabilities: {
      versions: local.capabilities.versions || s3.capabilities.versions,
      copies: local.capabilities.copies || s3.capabilities.copies,
    },
    normalize: (location) => of(location).normalize(location),
    stat: (location) => of(location).stat(location),
    read: (location, range) => of(location).read(location, range),
    writeIfAbsent: (location, bytes) => of(location).writeIfAbsent(location, bytes),
    replace: (location, bytes) => of(location).replace(location, bytes),
    list: (prefix) => of(prefix).list(prefix),
    namesOnly: (prefix): AsyncIterable<NameOnly> => of(prefix).namesOnly?.(prefix) ?? nothing(),
    removeEmptyPartitions: async (prefix) => (await of(prefix).removeEmptyPartitions?.(prefix)) ?? [],
    remove: (location) => of(location).remove(location),
    withLocalFile: (location, use) => of(location).withLocalFile(location, use),
    publish: (localPath, location) => of(location).publish(localPath, location),
    versions,
    close: async () => {
      await local.close?.();
      await s3.close?.();
    },
  };
}

async function* nothing(): AsyncGenerator<never> {}
