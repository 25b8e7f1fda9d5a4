import type { S3Client } from '@aws-sdk/client-s3';
import { LetheError, RefusedError } from '../../errors.ts';
import type { PrivateFolder } from '../private-folder.ts';
import type { FileVersion, FileVersions, KeptVersion, UnfinishedUpload } from '../storage.ts';
import type { S3Sender } from './clients.ts';
import { type S3Request, s3Fault } from './errors.ts';
import { keyDecoder } from './list.ts';
import { locksOf } from './locks.ts';
import { nextPage } from './pages.ts';
import { type S3Place, s3Location, s3Prefix } from './place.ts';
import { withCopy } from './read.ts';
import type { Sdk } from './sdk.ts';
import { versionsOf } from './version-pages.ts';

/** What {@link s3Versions} needs. */
export interface VersionAccess {
  readonly sender: S3Sender;
  readonly folder: () => Promise<Pick<PrivateFolder, 'path'>>;
  /** The place of a location, if it may be reached. */
  readonly at: (location: string) => S3Place;
}

/** Old versions in a versioned bucket (rule E5); one in which versioning is suspended has them too. */
export function s3Versions({ sender, folder, at }: VersionAccess): FileVersions {
  return {
    list: async function* (prefix) {
      yield* listVersions(sender, at(prefix));
    },
    withLocalFile: async (version, use) =>
      withCopy({ sender, folder }, { place: fileOf(at, version), versionId: version.id }, use),
    remove: async (versions) => {
      const kept: KeptVersion[] = [];
      const uploads = versions.filter((version) => version.kind === 'upload');
      const others = versions.filter((version) => version.kind !== 'upload');
      const removals = others.map((version) => ({ version, place: fileOf(at, version) }));
      for (const batch of batches(removals.filter(isPlain))) kept.push(...(await removeBatch(sender, batch)));
      for (const removal of removals.filter((each) => !isPlain(each)))
        kept.push(...(await removeOne(sender, removal)));
      for (const upload of uploads) kept.push(...(await abort(sender, fileOf(at, upload), upload)));
      return kept;
    },
    locks: async (prefix, now) => locksOf(sender, at(prefix), now),
  };
}

/** The key as it was listed: a slash at its end belongs to it. */
function fileOf(at: VersionAccess['at'], { location }: FileVersion): S3Place {
  const place = at(location);
  return { ...place, key: location.slice(`s3://${place.bucket}/`.length) };
}

async function* listVersions(sender: S3Sender, place: S3Place): AsyncGenerator<FileVersion> {
  try {
    for await (const { key, id, latest, marker, size, modified } of versionsOf(sender, place)) {
      const location = s3Location({ ...place, key });
      if (marker) yield { kind: 'delete-marker', location, id, modified, latest };
      else if (!latest) yield { kind: 'noncurrent', location, id, size, modified };
    }
  } catch (error) {
    if (!isDenied(error)) throw error;
    if (await wasEverVersioned(sender, place)) throw denied(place, 's3:ListBucketVersions');
  }
  yield* uploadsOf(sender, place);
}

async function* uploadsOf(sender: S3Sender, place: S3Place): AsyncGenerator<UnfinishedUpload> {
  let from: { readonly KeyMarker: string; readonly UploadIdMarker?: string } | undefined;
  do {
    const request = { doing: 'listed', right: 's3:ListBucketMultipartUploads', place } as const;
    const page = await sender.send(request, (client, sdk) =>
      client.send(
        new sdk.ListMultipartUploadsCommand({
          Bucket: place.bucket,
          Prefix: s3Prefix(place),
          EncodingType: 'url',
          ...from,
        }),
      ),
    );
    const decode = keyDecoder(page.EncodingType);
    for (const { Key = '', UploadId = '', Initiated } of page.Uploads ?? []) {
      const key = decode(Key);
      // Some servers pass over the prefix.
      if (!key.startsWith(s3Prefix(place))) continue;
      const modified = Initiated?.getTime() ?? 0;
      yield { kind: 'upload', location: s3Location({ ...place, key }), id: UploadId, modified };
    }
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
    const next =
      NextKeyMarker === undefined
        ? undefined
        : {
            KeyMarker: decode(NextKeyMarker),
            ...(NextUploadIdMarker === undefined ? {} : { UploadIdMarker: NextUploadIdMarker }),
          };
    from = nextPage(place, { truncated: IsTruncated, from, next });
  } while (from !== undefined);
}

/** S3's own limit for one request. */
const MOST_IN_BATCH = 1000;
/** What S3 says of single keys while it is busy. */
const BUSY = new Set(['InternalError', 'SlowDown', 'ServiceUnavailable', 'OperationAborted']);

interface Removal {
  readonly version: FileVersion;
  readonly place: S3Place;
}

/** Whether XML, in which many keys are named at once, can carry the key. */
function isPlain({ place: { key } }: Removal): boolean {
  return [...key].every((letter) => letter >= ' ' || '\t\n\r'.includes(letter));
}

/** Groups of one bucket each. */
function* batches(removals: readonly Removal[]): Generator<readonly Removal[]> {
  for (const all of grouped(removals).values()) {
    for (let start = 0; start < all.length; start += MOST_IN_BATCH)
      yield all.slice(start, start + MOST_IN_BATCH);
  }
}

function grouped(removals: readonly Removal[]): ReadonlyMap<string, readonly Removal[]> {
  const found = new Map<string, Removal[]>();
  for (const removal of removals) {
    const of = found.get(removal.place.bucket) ?? [];
    of.push(removal);
    found.set(removal.place.bucket, of);
  }
  return found;
}

async function removeBatch(sender: S3Sender, batch: readonly Removal[]): Promise<readonly KeptVersion[]> {
  const kept: KeptVersion[] = [];
  let left = batch;
  for (let tries = 1; left.length > 0; tries += 1) {
    const whyOf = await removeOnce(sender, left);
    const again: Removal[] = [];
    for (const removal of left) {
      const why = whyOf(removal);
      if (why === undefined) continue;
      if (BUSY.has(why) && tries < sender.attempts) again.push(removal);
      else kept.push({ version: removal.version, why });
    }
    left = again;
  }
  return kept;
}

async function removeOne(sender: S3Sender, { version, place }: Removal): Promise<readonly KeptVersion[]> {
  const request = { doing: 'removed', right: 's3:DeleteObjectVersion', place } as const;
  return keptUnless(sender, { request, version, gone: 'NoSuchVersion' }, (client, sdk) =>
    client.send(new sdk.DeleteObjectCommand({ Bucket: place.bucket, Key: place.key, VersionId: version.id })),
  );
}

/** What S3 says of those that it did not remove. */
async function removeOnce(
  sender: S3Sender,
  batch: readonly Removal[],
): Promise<(removal: Removal) => string | undefined> {
  const { place } = batch[0]!;
  const request = { doing: 'removed', right: 's3:DeleteObjectVersion', place } as const;
  const { Errors = [] } = await sender.send(request, (client, sdk) =>
    client.send(
      new sdk.DeleteObjectsCommand({
        Bucket: place.bucket,
        Delete: {
          Quiet: true,
          Objects: batch.map(({ version, place: { key } }) => ({ Key: key, VersionId: version.id })),
        },
      }),
    ),
  );
  const failures = new Map<string, string>();
  for (const { Key = '', VersionId, Code = 'unnamed' } of Errors) {
    // One that is gone already needs no removing.
    if (Code === 'NoSuchVersion' || Code === 'NoSuchKey') continue;
    failures.set(VersionId === undefined ? Key : entryOf(Key, VersionId), Code);
  }
  // Some servers leave out which version it was: then none of that key is taken for removed.
  return ({ version, place: { key } }) => failures.get(entryOf(key, version.id)) ?? failures.get(key);
}

function entryOf(key: string, id: string): string {
  return `${id}\0${key}`;
}

async function abort(
  sender: S3Sender,
  place: S3Place,
  upload: UnfinishedUpload,
): Promise<readonly KeptVersion[]> {
  const request = { doing: 'removed', right: 's3:AbortMultipartUpload', place } as const;
  return keptUnless(sender, { request, version: upload, gone: 'NoSuchUpload' }, (client, sdk) =>
    client.send(
      new sdk.AbortMultipartUploadCommand({ Bucket: place.bucket, Key: place.key, UploadId: upload.id }),
    ),
  );
}

/** Removes one version; what S3 does not allow is kept, and what is gone already needs no removing. */
async function keptUnless(
  sender: S3Sender,
  {
    request,
    version,
    gone,
  }: { readonly request: S3Request; readonly version: FileVersion; readonly gone: string },
  remove: (client: S3Client, sdk: Sdk) => Promise<unknown>,
): Promise<readonly KeptVersion[]> {
  return sender.send(request, async (client, sdk) => {
    try {
      await remove(client, sdk);
      return [];
    } catch (error) {
      const { name, status } = s3Fault(error);
      if (name === gone) return [];
      if (status === 403) return [{ version, why: name }];
      throw error;
    }
  });
}

/** A bucket in which versioning was never switched on keeps none; once on, it can only be suspended. */
async function wasEverVersioned(sender: S3Sender, place: S3Place): Promise<boolean> {
  const request = { doing: 'listed', right: 's3:GetBucketVersioning', place } as const;
  try {
    const { Status } = await sender.send(request, (client, sdk) =>
      client.send(new sdk.GetBucketVersioningCommand({ Bucket: place.bucket })),
    );
    return Status !== undefined;
  } catch (error) {
    if (isDenied(error)) return true;
    throw error;
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof LetheError && error.code === 'storage/denied';
}

function denied(place: S3Place, right: string): RefusedError {
  const location = s3Location(place);
  return new RefusedError('storage/versions-denied', `Old versions under ${location} cannot be listed`, {
    remedy: `Grant ${right}: what was removed from a versioned bucket is still in it`,
    data: { location, right },
  });
}
