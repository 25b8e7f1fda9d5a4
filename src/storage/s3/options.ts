import type { Instant, Random } from '../../values/time.ts';

/** Keys for S3. They are only ever handed to the SDK, and stand in no message. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** From then on they are no longer taken; a source is asked again some minutes before. */
  readonly expires?: Instant;
}

/** How a bucket is reached. */
export interface S3Access {
  /** What the SDK finds in the environment if left out; `us-east-1` beside an `endpoint`. */
  readonly region?: string;
  /** Another server that speaks S3; AWS if left out. */
  readonly endpoint?: string;
  /** The bucket in the path instead of the host's name, as most other servers want it. */
  readonly pathStyle?: boolean;
  /**
   * Given, or asked for again before they expire; what the SDK finds (environment, profile, web identity, instance) if left out.
   */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>);
}

/** What {@link s3Storage} takes. */
export interface S3StorageOptions extends S3Access {
  /** Marks what it writes, so that a writer knows its own file again. */
  readonly random: Random;
  /** Prefixes that no access may leave (`s3://lake/wh`); everywhere if left out. */
  readonly roots?: readonly string[];
  /**
   * Access that somebody hands out for a location, as REST catalogs do; null for the access above. Asked before every request, so it
   * should remember; `renew` says that S3 no longer takes what it gave last.
   */
  readonly accessOf?: (location: string, options: { readonly renew: boolean }) => Promise<S3Access | null>;
  /** Where the private folder of temporary copies is made; the system's temporary folder if left out. */
  readonly temporary?: string;
  /** How often a request, or the rest of a download, is tried; 5 if left out. */
  readonly attempts?: number;
  /** How long a connection may be silent, in milliseconds; 30 seconds if left out. */
  readonly timeoutMs?: number;
  /** Bytes of one part of a large upload, 5 MiB at least; 16 MiB if left out. Four are in memory at the same time. */
  readonly partSize?: number;
}
