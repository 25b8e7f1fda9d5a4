import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FailedError } from '../../errors.ts';
import type { ByteRange, FileStat } from '../storage.ts';
import type { S3Sender } from './clients.ts';
import { fault, isMissing, noBucket, notFound, s3Error, s3Fault } from './errors.ts';
import { type Fetch, fetchBytes, shortRead } from './fetch.ts';
import { type S3Place, s3Location } from './place.ts';

/** What HEAD says of a file. Throws `storage/not-found`. */
export async function statFile(sender: S3Sender, place: S3Place): Promise<FileStat> {
  const request = { doing: 'read', right: 's3:GetObject', place } as const;
  const head = await sender.send(request, async (client, sdk) => {
    try {
      return await client.send(new sdk.HeadObjectCommand({ Bucket: place.bucket, Key: place.key }));
    } catch (error) {
      throw isMissing(error) ? await missing(sender, place) : error;
    }
  });
  if (head.ContentLength === undefined) throw s3Error(request, fault('it does not say how long it is'));
  return {
    location: s3Location(place),
    size: head.ContentLength,
    modified: head.LastModified?.getTime() ?? 0,
    ...(head.ETag === undefined ? {} : { version: head.ETag }),
  };
}

/** An answer to HEAD has no body, so it does not say whether the bucket or only the key is missing. */
async function missing(sender: S3Sender, place: S3Place): Promise<Error> {
  if (sender.buckets.has(place.bucket)) return notFound(place);
  await sender.send({ doing: 'read', right: 's3:ListBucket', place }, async (client, sdk) => {
    try {
      await client.send(new sdk.HeadBucketCommand({ Bucket: place.bucket }));
    } catch (error) {
      if (isMissing(error)) throw noBucket(place);
      // Who may not ask for the bucket was told that the key is missing.
      if (s3Fault(error).status !== 403) throw error;
    }
  });
  sender.buckets.add(place.bucket);
  return notFound(place);
}

/** The whole file, or a part of it, in memory. */
export async function readFile(
  sender: S3Sender,
  place: S3Place,
  range: ByteRange | undefined,
): Promise<Uint8Array> {
  if (range !== undefined && !(range.offset >= 0 && range.length > 0)) {
    const { size } = await statFile(sender, place);
    if (range.length !== 0 || range.offset < 0 || range.offset > size) throw shortRead(place, range);
    return new Uint8Array();
  }
  const chunks: Uint8Array[] = [];
  await fetchBytes(sender, { place, range }, (chunk) => {
    chunks.push(chunk);
  });
  const { buffer, byteOffset, length } = Buffer.concat(chunks);
  return new Uint8Array(buffer, byteOffset, length);
}

/** A copy in the private folder for as long as `use` runs. */
export async function withCopy<T>(
  {
    sender,
    folder,
  }: { readonly sender: S3Sender; readonly folder: () => Promise<{ readonly path: string }> },
  fetch: Fetch,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const name = String(++copies);
  const path = join((await folder()).path, name);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await fetchBytes(sender, fetch, (chunk) => writeAll(file, path, chunk));
    } finally {
      await file.close();
    }
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}

let copies = 0;

async function writeAll(file: FileHandle, path: string, bytes: Uint8Array): Promise<void> {
  try {
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, written);
      written += bytesWritten;
    }
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw new FailedError('storage/temporary', `There is no room for a copy in ${dirname(path)} (${code})`, {
      remedy: 'Make room there, or give another folder for temporary copies, then run again',
      data: { folder: dirname(path), error: code },
    });
  }
}
