import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { loadSdk, providerOf } from '../../../storage/s3/sdk.ts';
import type { Clock } from '../../../values/time.ts';
import type { AwsSigning } from '../settings.ts';
import type { Auth } from './auth.ts';

/**
 * Requests signed by AWS Signature 4, as Glue, S3 Tables and catalogs behind an API gateway want them. The signer is the AWS SDK's; without
 * credentials of its own it finds those of this machine, as the SDK does.
 *
 * @throws InputError `storage/no-sdk`
 */
export async function sigv4({ region, service, credentials }: AwsSigning, clock: Clock): Promise<Auth> {
  const sdk = await loadSdk();
  const options: S3ClientConfig & { readonly signingEscapePath: boolean } = {
    region,
    ...(credentials === undefined ? {} : { credentials: providerOf(credentials) }),
    // All services but S3 sign the path escaped once more.
    signingEscapePath: true,
  };
  const { config } = new sdk.S3Client(options);
  const scheme = { name: 'sigv4', signingName: service, signingRegion: region, properties: {} };
  return {
    headers: async ({ method, url, headers, body }) => {
      const signer = await config.signer(scheme);
      const request = {
        ...{ method, body, protocol: url.protocol, hostname: url.hostname, path: url.pathname },
        query: Object.fromEntries(url.searchParams),
        headers: { ...headers, host: url.host },
      };
      const signed = await signer.sign(request, { signingDate: new Date(clock.now()) });
      const { host: _, ...sent } = signed.headers;
      return sent;
    },
    // What signed a request was read just before.
    renew: async () => false,
    secrets: () => [],
  };
}
