import type { FileStat, Storage } from './storage.ts';

/**
 * A storage in which prefixes of locations lead elsewhere: a restored copy, a bucket that was synced to disk. Metadata keeps
 * the locations as they were written; `mounts` says where their bytes are now (`{ 's3://lake/wh/': '/restored/wh/' }`). The
 * longest prefix that fits wins. What comes back is named as `storage` names it.
 */
export function mountedStorage(storage: Storage, mounts: Readonly<Record<string, string>>): Storage {
  const prefixes = Object.entries(mounts).sort(([a], [b]) => b.length - a.length);
  const at = (location: string): string => {
    const [prefix, target] = prefixes.find(([candidate]) => isUnder(candidate, location)) ?? [];
    return prefix === undefined ? location : target + location.slice(prefix.length);
  };
  return {
    normalize: (location) => storage.normalize(at(location)),
    stat: (location) => storage.stat(at(location)),
    statIfThere: (location) => storage.statIfThere(at(location)),
    read: (location, range) => storage.read(at(location), range),
    writeIfAbsent: (location, bytes, onDisk) => storage.writeIfAbsent(at(location), bytes, onDisk),
    replace: (location, bytes, onDisk) => storage.replace(at(location), bytes, onDisk),
    list: (prefix): AsyncIterable<FileStat> => storage.list(at(prefix)),
    listBeginning: (start) => storage.listBeginning?.(at(start)) ?? null,
    foldersWith: (prefix, test) => storage.foldersWith?.(at(prefix), test) ?? null,
    namesOnly: (prefix) => storage.namesOnly?.(at(prefix)) ?? nothing(),
    realFolder: async (folder) => (await storage.realFolder?.(at(folder))) ?? storage.normalize(at(folder)),
    removeEmptyPartitions: async (prefix) => (await storage.removeEmptyPartitions?.(at(prefix))) ?? [],
    remove: (location) => storage.remove(at(location)),
    withLocalFile: (location, use) => storage.withLocalFile(at(location), use),
    publish: (localPath, location) => storage.publish(localPath, at(location)),
    copies: (location) => storage.copies(at(location)),
    keepsVersions: storage.keepsVersions ?? true,
    versions: (location) => {
      const versions = storage.versions(at(location));
      if (versions === null) return null;
      return {
        ...versions,
        list: (prefix) => versions.list(at(prefix)),
        locks: (prefix, now) => versions.locks(at(prefix), now),
      };
    },
    close: async () => storage.close?.(),
  };
}

async function* nothing(): AsyncGenerator<never> {}

/** A prefix ends at a slash of its own or at one of the location's, so that `s3://b/a` never takes `s3://b/ab`. */
function isUnder(prefix: string, location: string): boolean {
  if (!location.startsWith(prefix)) return false;
  return prefix.endsWith('/') || location.length === prefix.length || location[prefix.length] === '/';
}
