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

/** Copies every version of every object under a prefix; a delete marker is a name without content. */
async function copied(prefix: string, folder: string): Promise<readonly Copy[]> {
  const { endpoint, region, accessKeyId, secretAccessKey } = await service('s3');
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  const [, Bucket, Prefix] = /^s3:\/\/([^/]+)\/(.+)$/.exec(prefix)!;
  const found: Copy[] = [];
  for (let page: ListObjectVersionsCommandOutput | undefined; page?.IsTruncated !== false; ) {
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page ?? {};
    page = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix: `${Prefix}/`, KeyMarker, VersionIdMarker }),
    );
    for (const { Key, VersionId, IsLatest } of page.Versions ?? []) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
      const path = join(folder, String(found.length));
      await writeFile(path, await Body!.transformToByteArray());
      found.push([`s3://${Bucket}/${Key}${IsLatest ? '' : `?versionId=${VersionId}`}`, path]);
    }
    for (const { Key, VersionId } of page.DeleteMarkers ?? [])
      found.push([`s3://${Bucket}/${Key}?versionId=${VersionId}`, null]);
  }
  client.destroy();
  return found;
}
