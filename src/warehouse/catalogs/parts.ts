import type { Storage } from '../../storage/storage.ts';
import type { Clock, Random } from '../../values/time.ts';
import type { Patience } from './patience.ts';

/** What opening a catalog of any kind takes besides its setting. */
export interface CatalogParts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly patience: Patience;
}
