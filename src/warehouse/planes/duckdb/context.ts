import type { Storage } from '../../../storage/storage.ts';
import type { Engine } from './engine.ts';

/** What every operation of this plane works with. */
export interface Context {
  readonly engine: Engine;
  readonly storage: Storage;
  /** Space for copies of files that the storage cannot lend as they are, in bytes. */
  readonly copiedBytes: number;
}
