import type { Storage } from './storage.ts';

/** The folders under a prefix that hold a file whose name passes `test`, each at least once: as the storage tells them, else by listing it all. */
export async function* foldersWith(
  storage: Storage,
  prefix: string,
  test: (name: string) => boolean,
): AsyncGenerator<string> {
  const told = storage.foldersWith?.(prefix, test) ?? null;
  if (told !== null) return yield* told;
  for await (const { location } of storage.list(prefix)) {
    const end = location.lastIndexOf('/');
    if (test(location.slice(end + 1))) yield location.slice(0, end);
  }
}
