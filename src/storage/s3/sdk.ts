import { InputError } from '../../errors.ts';
import type { S3Access, S3Credentials } from './options.ts';

/** The SDK, loaded only by those who use it. */
export type Sdk = typeof import('@aws-sdk/client-s3');

type Provider = () => Promise<{
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}>;

/** Credentials, or where they come from, as the SDK takes them. */
export function providerOf(source: NonNullable<S3Access['credentials']>): Provider {
  return async () => {
    const { expires, ...credentials }: S3Credentials = typeof source === 'function' ? await source() : source;
    return { ...credentials, ...(expires === undefined ? {} : { expiration: new Date(expires) }) };
  };
}

let loaded: Promise<Sdk> | undefined;

/** Throws InputError `storage/no-sdk`. */
export function loadSdk(): Promise<Sdk> {
  loaded ??= import('@aws-sdk/client-s3').catch(() => {
    loaded = undefined;
    throw new InputError('storage/no-sdk', 'Tables in S3 need the package @aws-sdk/client-s3', {
      remedy: 'Install it beside lethe: npm install @aws-sdk/client-s3',
    });
  });
  return loaded;
}
