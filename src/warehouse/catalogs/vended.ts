import type { S3Access, S3Credentials } from '../../storage/index.ts';
import type { Clock, Instant } from '../../values/time.ts';
import { within } from '../within.ts';

/** The settings that a catalog gives for the files under a prefix, in the words of Iceberg's properties (`s3.access-key-id`, …). */
export interface VendedAccess {
  readonly prefix: string;
  readonly config: Readonly<Record<string, string>>;
}

type Ask = () => Promise<readonly VendedAccess[]>;

interface Known extends VendedAccess {
  readonly ask: Ask;
  /** Keys are asked for again from then on. */
  readonly renewFrom: Instant;
}

/** Before keys end, others are asked for: this long before, or a tenth of their life where that is shorter. */
const EARLY_MS = 5 * 60_000;

/**
 * What catalogs have handed out for reading and writing files, by prefix. A storage asks it before each request
 * (`s3Storage({ accessOf: handedOut.accessOf })`).
 */
export class HandedOut {
  readonly #clock: Clock;
  #known: readonly Known[] = [];
  readonly #asking = new Map<Ask, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Keeps what a catalog gave; `ask` gets it anew. */
  learn(given: readonly VendedAccess[], ask: Ask): void {
    const now = this.#clock.now();
    const fresh = given.filter(hasKeys).map(({ prefix, config }) => {
      const expires = expiryOf(config) ?? Number.POSITIVE_INFINITY;
      const renewFrom = expires - Math.min(EARLY_MS, Math.max(0, expires - now) / 10);
      return { prefix: placeOf(prefix), config, ask, renewFrom };
    });
    const prefixes = new Set(fresh.map(({ prefix }) => prefix));
    this.#known = [...this.#known.filter(({ prefix }) => !prefixes.has(prefix)), ...fresh].sort(
      (a, b) => b.prefix.length - a.prefix.length,
    );
  }

  /** Access to a file by the longest prefix that fits; null where nothing was handed out for it. */
  readonly accessOf = async (
    location: string,
    { renew }: { readonly renew: boolean },
  ): Promise<S3Access | null> => {
    const known = this.#of(location);
    if (known === null) return null;
    if (renew || known.renewFrom <= this.#clock.now()) {
      await this.#renew(known);
      return accessOf(this.#of(location)?.config ?? known.config);
    }
    return accessOf(known.config);
  };

  #of(location: string): Known | null {
    const place = placeOf(location);
    return this.#known.find(({ prefix }) => within(prefix, place) || place.startsWith(prefix)) ?? null;
  }

  /** Many files of a table are asked for at the same time; the catalog is asked once. */
  async #renew({ ask }: Known): Promise<void> {
    const asking =
      this.#asking.get(ask) ??
      ask()
        .then((given) => this.learn(given, ask))
        .finally(() => this.#asking.delete(ask));
    this.#asking.set(ask, asking);
    await asking;
  }
}

/** Whether keys are among the settings. */
export function hasKeys({ config }: VendedAccess): boolean {
  return config['s3.access-key-id'] !== undefined;
}

function placeOf(location: string): string {
  return location.replace(/^s3[an]:/i, 's3:').replace(/\/+$/, '');
}

function accessOf(config: Readonly<Record<string, string>>): S3Access {
  const region = config['client.region'] ?? config['s3.region'];
  const endpoint = config['s3.endpoint'];
  const expires = expiryOf(config);
  const sessionToken = config['s3.session-token'];
  const credentials: S3Credentials = {
    accessKeyId: config['s3.access-key-id'] ?? '',
    secretAccessKey: config['s3.secret-access-key'] ?? '',
    ...(sessionToken === undefined ? {} : { sessionToken }),
    ...(expires === null ? {} : { expires }),
  };
  return {
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    pathStyle: config['s3.path-style-access']?.toLowerCase() === 'true',
    credentials,
  };
}

function expiryOf(config: Readonly<Record<string, string>>): Instant | null {
  const text = config['s3.session-token-expires-at-ms'];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
