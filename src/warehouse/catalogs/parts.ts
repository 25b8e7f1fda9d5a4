import type { Storage } from '../../storage/storage.ts';
import type { Clock, Random } from '../../values/time.ts';
import type { Patience } from './patience.ts';
import type { HandedOut } from './vended.ts';

/** What opening a catalog of any kind takes besides its setting. */
export interface CatalogParts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly patience: Patience;
  /** Where a catalog puts the keys for files that it hands out. */
  readonly handedOut: HandedOut;
}
