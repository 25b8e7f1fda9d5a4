import type { GetObjectCommandOutput } from '@aws-sdk/client-s3';
import { FailedError, LetheError } from '../../errors.ts';
import type { ByteRange } from '../storage.ts';
import type { S3Sender } from './clients.ts';
import { fault, s3Error, s3Fault } from './errors.ts';
import { type S3Place, s3Location } from './place.ts';

/** What is fetched: a file or one of its versions, whole or in part. */
export interface Fetch {
  readonly place: S3Place;
  readonly versionId?: string | undefined;
  readonly range?: ByteRange | undefined;
}

/** Takes the bytes as they come, in order. */
export type Sink = (bytes: Uint8Array) => Promise<void> | void;

/**
 * Hands the bytes of a file to `sink`. A download that breaks off goes on where it was, of the same content: its ETag is asked for
 * again. An answer that does not say its length (a proxy's, or one that is decompressed on the way) is taken to its end, and does not
 * go on where it broke off.
 *
 * @throws FailedError `storage/not-found`; `storage/short-read` where the range ends beyond the file; `storage/changed` where another
 * writer replaced the file meanwhile; `storage/read-failed` where it breaks off again and again
 */
export async function fetchBytes(sender: S3Sender, fetch: Fetch, sink: Sink): Promise<void> {
  const request = {
    doing: 'read',
    right: fetch.versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion',
    place: fetch.place,
  } as const;
  const begin = fetch.range?.offset ?? 0;
  let size = fetch.range?.length;
  let got = 0;
  let etag: string | undefined;
  let broken: unknown;
  for (let tries = 0; tries < sender.attempts; tries += 1) {
    const rest = rangeOf(begin + got, size === undefined ? undefined : size - got);
    const response = await sender.send(request, (client, sdk) =>
      client.send(new sdk.GetObjectCommand(input(fetch, { rest, etag }))).catch((error: unknown) => {
        throw fetchError(fetch.place, error);
      }),
    );
    etag ??= response.ETag;
    size ??= response.ContentLength;
    checkRange(fetch, response);
    try {
      for await (const chunk of response.Body as unknown as AsyncIterable<Uint8Array>) {
        const wanted = size === undefined ? chunk : chunk.subarray(0, size - got);
        await sink(wanted);
        got += wanted.length;
      }
      if (size === undefined) return;
    } catch (error) {
      // What the sink throws is not the network's fault.
      if (error instanceof LetheError) throw error;
      broken = error;
      if (size === undefined) break;
    }
    if (got === size) return;
  }
  throw s3Error(request, broken ?? fault('it breaks off'));
}

function input(
  { place, versionId }: Fetch,
  { rest, etag }: { readonly rest: string | undefined; readonly etag: string | undefined },
): { readonly Bucket: string; readonly Key: string } {
  return {
    Bucket: place.bucket,
    Key: place.key,
    ...(versionId === undefined ? {} : { VersionId: versionId }),
    ...(rest === undefined ? {} : { Range: rest }),
    ...(etag === undefined ? {} : { IfMatch: etag }),
  };
}

/** Undefined for a whole file. */
function rangeOf(offset: number, length: number | undefined): string | undefined {
  if (length !== undefined) return `bytes=${offset}-${offset + length - 1}`;
  return offset === 0 ? undefined : `bytes=${offset}-`;
}

/** S3 gives what there is of a range that ends beyond the file. */
function checkRange({ place, range }: Fetch, { ContentRange }: GetObjectCommandOutput): void {
  const whole = /\/(\d+)$/.exec(ContentRange ?? '')?.[1];
  if (range !== undefined && whole !== undefined && range.offset + range.length > Number(whole)) {
    throw shortRead(place, range);
  }
}

function fetchError(place: S3Place, error: unknown): unknown {
  const { status } = s3Fault(error);
  if (status === 416) return shortRead(place);
  if (status !== 412) return error;
  const location = s3Location(place);
  return new FailedError('storage/changed', `${location} was replaced while it was read`, {
    remedy: 'Run again: it is read from its beginning',
    data: { location },
  });
}

/** The file ends before the bytes that were asked for. */
export function shortRead(place: S3Place, range?: ByteRange): FailedError {
  const location = s3Location(place);
  return new FailedError('storage/short-read', `${location} ends before the bytes that were asked for`, {
    remedy: 'The file is cut short, or what names it is wrong; restore it from a copy',
    data: { location, ...range },
  });
}
