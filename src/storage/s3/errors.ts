import { FailedError, InputError, LetheError, RefusedError } from '../../errors.ts';
import { type S3Place, s3Location } from './place.ts';

/** One request, in words: for what it is, and the right that it needs. */
export interface S3Request {
  readonly doing: 'read' | 'written' | 'removed' | 'listed';
  /** As policies name it: `s3:GetObject`. */
  readonly right: string;
  readonly place: S3Place;
}

/** What an error of the SDK says of itself that holds neither keys nor addresses. */
export interface S3Fault {
  /** `NoSuchKey`, `AccessDenied`, `TimeoutError` … */
  readonly name: string;
  readonly status: number | undefined;
  /** The region that the bucket is in, where S3 says so. */
  readonly region: string | undefined;
}

/** Reads an error of the SDK. */
export function s3Fault(error: unknown): S3Fault {
  if (!(error instanceof Error)) return { name: 'unnamed', status: undefined, region: undefined };
  const { name, code, Region, $metadata, $response } = error as Error & {
    readonly code?: unknown;
    readonly Region?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
    readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
  };
  const region = typeof Region === 'string' ? Region : $response?.headers?.['x-amz-bucket-region'];
  return {
    // Errors of the network are of the name Error, and say in `code` what they are.
    name: name === 'Error' && typeof code === 'string' ? code : name,
    status: $metadata?.httpStatusCode,
    region,
  };
}

/** What the SDK takes for an answer and Lethe does not. */
export function fault(name: string): Error {
  return Object.assign(new Error(), { name });
}

/** Whether S3 says that there is no such key, version or bucket. */
export function isMissing(error: unknown): boolean {
  const { name, status } = s3Fault(error);
  return name !== 'NoSuchBucket' && name !== 'NoSuchUpload' && status === 404;
}

/** Whether what the keys were good for is over. An answer to HEAD has no body to say so: there it is a bare 400. */
export function isExpired(error: unknown): boolean {
  const { name, status } = s3Fault(error);
  return EXPIRED.has(name) || (status === 400 && BARE.has(name));
}

const BARE = new Set(['400', 'BadRequest', 'Unknown', 'UnknownError']);

const EXPIRED = new Set(['ExpiredToken', 'ExpiredTokenException', 'TokenRefreshRequired']);
const CREDENTIALS = new Set([
  ...EXPIRED,
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'CredentialsProviderError',
  'RequestTimeTooSkewed',
]);

/**
 * What a failed request means, as a typed error. The SDK's own is not passed on, not as a cause either: it carries the request with its
 * signature, and its message can quote keys and addresses.
 */
export function s3Error(request: S3Request, error: unknown): LetheError {
  if (error instanceof LetheError) return error;
  const { doing, right, place } = request;
  const { name, status, region } = s3Fault(error);
  const location = s3Location(place);
  const { bucket } = place;
  const data = { location, bucket, error: name, ...(status === undefined ? {} : { status }) };
  if (CREDENTIALS.has(name)) {
    return new FailedError(
      'storage/credentials',
      `S3 does not take the credentials for ${bucket} (${name})`,
      {
        remedy: `Give credentials that are valid now; ${location} was not ${doing}`,
        data,
      },
    );
  }
  if (status === 301 || status === 307 || name === 'AuthorizationHeaderMalformed') {
    return new InputError('storage/other-region', `The bucket ${bucket} is in another region${at(region)}`, {
      remedy: `Set the region${region === undefined ? ' of the bucket' : ` to ${region}`}; ${location} was not ${doing}`,
      data: { ...data, ...(region === undefined ? {} : { region }) },
    });
  }
  if (name === 'NoSuchBucket') return noBucket(place);
  if (isMissing(error)) return notFound(place);
  if (status === 403 || status === 401) {
    return new RefusedError('storage/denied', `S3 refuses ${right} on ${location}`, {
      remedy: `Grant ${right} to who runs this, then run again; it was not ${doing}`,
      data: { ...data, right },
    });
  }
  if (/region is missing/i.test(error instanceof Error ? error.message : '')) {
    return new InputError('storage/no-region', `No region is known for ${location}`, {
      remedy: 'Set the region, in the configuration or as AWS_REGION',
      data,
    });
  }
  return new FailedError(
    `storage/${PRESENT[doing]}-failed`,
    `${location} could not be ${doing} (${name}${status === undefined ? '' : `, status ${status}`})`,
    { remedy: 'Nothing is half done: see that S3 can be reached, then run again', data },
  );
}

const PRESENT = { read: 'read', written: 'write', removed: 'remove', listed: 'list' } as const;

function at(region: string | undefined): string {
  return region === undefined ? '' : `, ${region}`;
}

/** There is no such bucket. */
export function noBucket(place: S3Place): FailedError {
  return new FailedError('storage/no-bucket', `There is no bucket ${place.bucket}`, {
    remedy: 'Correct the name of the bucket, or the endpoint that is asked for it',
    data: { location: s3Location(place), bucket: place.bucket },
  });
}

/** There is no such file. */
export function notFound(place: S3Place): FailedError {
  const location = s3Location(place);
  return new FailedError('storage/not-found', `${location} is not there`, {
    remedy: 'Restore it from a copy, or use a state of the table that does not need it',
    data: { location },
  });
}
