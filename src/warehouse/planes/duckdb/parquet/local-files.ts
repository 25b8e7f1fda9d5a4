import type { Storage } from '../../../../storage/storage.ts';

/** Files held on this machine until they are released. */
export interface HeldFiles {
  /** In the order of the locations asked for. */
  readonly paths: readonly string[];
  release(): Promise<void>;
}

/** Files that are fetched at the same time. */
const AT_ONCE = 4;

/** Paths on this machine that hold the bytes of many files at the same time. */
export async function holdLocalFiles(storage: Storage, locations: readonly string[]): Promise<HeldFiles> {
  let letGo = (): void => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const holds: Promise<void>[] = [];
  const release = async (): Promise<void> => {
    letGo();
    await Promise.allSettled(holds);
  };
  const hold = (location: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const held = storage.withLocalFile(location, async (path) => {
        resolve(path);
        await released;
      });
      held.catch(reject);
      holds.push(held);
    });
  const paths: string[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < locations.length) {
      const index = next++;
      paths[index] = await hold(locations[index]!);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return { paths, release };
  } catch (error) {
    next = locations.length;
    await release();
    throw error;
  }
}
