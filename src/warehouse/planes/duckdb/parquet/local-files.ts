import type { Storage } from '../../../../storage/storage.ts';

/** Files held on this machine until they are released. */
export interface HeldFiles {
  /** In the order of the locations asked for. */
  readonly paths: readonly string[];
  release(): Promise<void>;
}

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
  try {
    const paths: string[] = [];
    for (const location of locations) paths.push(await hold(location));
    return { paths, release };
  } catch (error) {
    await release();
    throw error;
  }
}
