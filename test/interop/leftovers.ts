import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import { openPyIceberg } from './engines/pyiceberg.ts';
import { PERSON } from './matrix/features.ts';
import { service } from './services/index.ts';

/** Files by the kind of place in which they hold the person; a file of an old version has `?versionId=` behind its name. */
export type Leftovers = Readonly<Record<string, readonly string[]>>;

/**
 * Where files under a folder or prefix hold {@link PERSON}, old versions in a bucket too, without Lethe: Python libraries of others
 * read each file (`services/python/leftovers.py`).
 */
export async function leftovers(place: string): Promise<Leftovers> {
  const copies = await mkdtemp(join(inject('data'), 'copies-'));
  try {
    const files = place.startsWith('s3:') ? await copied(place, copies) : await listed(place);
    const { leftovers } = await openPyIceberg();
    return await leftovers({ files, id_column: 'customer', id: PERSON.customer, text: PERSON.email });
  } finally {
    await rm(copies, { recursive: true });
  }
}

type Copy = readonly [name: string, path: string | null];

async function listed(place: string): Promise<readonly Copy[]> {
  const entries = await readdir(fileURLToPath(place), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [pathToFileURL(path).href, path]);
}

/** Every version of every object under a prefix, by its ETag; a delete marker has none. */
export async function objectsUnder(prefix: string): Promise<Readonly<Record<string, string | null>>> {
  const found: Record<string, string | null> = {};
  for await (const { name, etag } of versionsUnder(prefix, await s3Client())) found[name] = etag;
  return found;
}

/** Copies every version of every object under a prefix. */
async function copied(prefix: string, folder: string): Promise<readonly Copy[]> {
  const client = await s3Client();
  const copies: Copy[] = [];
  for await (const { name, etag, ...object } of versionsUnder(prefix, client)) {
    if (etag === null) {
      copies.push([name, null]);
      continue;
    }
    const { Body } = await client.send(new GetObjectCommand(object));
    const path = join(folder, String(copies.length));
    await writeFile(path, await Body!.transformToByteArray());
    copies.push([name, path]);
  }
  return copies;
}

async function s3Client(): Promise<S3Client> {
  const { endpoint, region, accessKeyId, secretAccessKey } = await service('s3');
  const credentials = { accessKeyId, secretAccessKey };
  return new S3Client({ endpoint, region, forcePathStyle: true, credentials });
}

interface ObjectVersion {
  readonly Bucket: string;
  readonly Key: string;
  readonly VersionId: string;
  readonly name: string;
  readonly etag: string | null;
}

async function* versionsUnder(prefix: string, client: S3Client): AsyncGenerator<ObjectVersion> {
  const [, Bucket, Prefix] = /^s3:\/\/([^/]+)\/(.+)$/.exec(prefix) as unknown as [string, string, string];
  for (let page: ListObjectVersionsCommandOutput | undefined; page?.IsTruncated !== false; ) {
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page ?? {};
    page = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix: `${Prefix}/`, KeyMarker, VersionIdMarker }),
    );
    const { Versions = [], DeleteMarkers = [] } = page;
    for (const { Key = '', VersionId = '', IsLatest = false, ETag = null } of Versions) {
      const name = `s3://${Bucket}/${Key}${IsLatest ? '' : `?versionId=${VersionId}`}`;
      yield { Bucket, Key, VersionId, name, etag: ETag };
    }
    for (const { Key = '', VersionId = '' } of DeleteMarkers)
      yield { Bucket, Key, VersionId, name: `s3://${Bucket}/${Key}?versionId=${VersionId}`, etag: null };
  }
}
