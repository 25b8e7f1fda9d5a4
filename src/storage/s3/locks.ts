import { LetheError, RefusedError } from '../../errors.ts';
import type { Instant } from '../../values/time.ts';
import type { VersionLocks } from '../storage.ts';
import type { S3Sender } from './clients.ts';
import { isMissing, s3Fault } from './errors.ts';
import { type S3Place, s3Location } from './place.ts';
import { type ListedVersion, versionsOf } from './version-pages.ts';

/** Versions asked about at the same time. */
const AT_ONCE = 8;

/** What keeps the versions under a place from being removed; every version is asked where the bucket can lock any. */
export async function locksOf(sender: S3Sender, place: S3Place, now: Instant): Promise<VersionLocks | null> {
  const versioning = await versioningOf(sender, place);
  if (versioning.status === undefined) return null;
  const found = { retained: 0, until: null as Instant | null, held: 0 };
  if (await canLock(sender, place)) {
    let group: ListedVersion[] = [];
    const ask = async (): Promise<void> => {
      const heads = await Promise.all(group.map((version) => lockOf(sender, place, version)));
      for (const { until, held } of heads) {
        if (held) found.held += 1;
        if (until === null || until <= now) continue;
        found.retained += 1;
        found.until = Math.max(found.until ?? until, until);
      }
      group = [];
    };
    let first = true;
    for await (const version of versionsOf(sender, place)) {
      if (version.marker) continue;
      if (first) await assertVisible(sender, place, version);
      first = false;
      group.push(version);
      if (group.length === AT_ONCE) await ask();
    }
    await ask();
  }
  const locks = { ...found, secondFactor: versioning.secondFactor };
  return locks.retained + locks.held > 0 || locks.secondFactor ? locks : null;
}

async function versioningOf(
  sender: S3Sender,
  place: S3Place,
): Promise<{ readonly status: string | undefined; readonly secondFactor: boolean }> {
  const request = { doing: 'read', right: 's3:GetBucketVersioning', place } as const;
  return orDenied(request.right, place, () =>
    sender.send(request, async (client, sdk) => {
      const { Status, MFADelete } = await client.send(
        new sdk.GetBucketVersioningCommand({ Bucket: place.bucket }),
      );
      return { status: Status, secondFactor: MFADelete === 'Enabled' };
    }),
  );
}

/** Whether the bucket was made to lock objects. */
async function canLock(sender: S3Sender, place: S3Place): Promise<boolean> {
  const request = { doing: 'read', right: 's3:GetBucketObjectLockConfiguration', place } as const;
  return orDenied(request.right, place, () =>
    sender.send(request, async (client, sdk) => {
      try {
        const { ObjectLockConfiguration } = await client.send(
          new sdk.GetObjectLockConfigurationCommand({ Bucket: place.bucket }),
        );
        return ObjectLockConfiguration?.ObjectLockEnabled === 'Enabled';
      } catch (error) {
        const { name, status } = s3Fault(error);
        // A server that knows no locks says so in its own words.
        if (name === 'ObjectLockConfigurationNotFoundError' || status === 501 || status === 400) return false;
        throw error;
      }
    }),
  );
}

interface Lock {
  readonly until: Instant | null;
  readonly held: boolean;
}

async function lockOf(sender: S3Sender, place: S3Place, { key, id }: ListedVersion): Promise<Lock> {
  const at = { ...place, key };
  return sender.send({ doing: 'read', right: 's3:GetObjectVersion', place: at }, async (client, sdk) => {
    try {
      const head = await client.send(
        new sdk.HeadObjectCommand({ Bucket: place.bucket, Key: key, VersionId: id }),
      );
      return {
        until: head.ObjectLockRetainUntilDate?.getTime() ?? null,
        held: head.ObjectLockLegalHoldStatus === 'ON',
      };
    } catch (error) {
      if (isMissing(error)) return { until: null, held: false };
      throw error;
    }
  });
}

/** HEAD leaves locks out for those who may not see them, so the right itself is tried once. */
async function assertVisible(sender: S3Sender, place: S3Place, { key, id }: ListedVersion): Promise<void> {
  const at = { ...place, key };
  const right = 's3:GetObjectRetention';
  await orDenied(right, place, () =>
    sender.send({ doing: 'read', right, place: at }, async (client, sdk) => {
      try {
        await client.send(
          new sdk.GetObjectRetentionCommand({ Bucket: place.bucket, Key: key, VersionId: id }),
        );
      } catch (error) {
        if (s3Fault(error).status === 403) throw error;
      }
    }),
  );
}

async function orDenied<T>(right: string, place: S3Place, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof LetheError) || error.code !== 'storage/denied') throw error;
    const location = s3Location(place);
    throw new RefusedError(
      'storage/locks-denied',
      `Whether versions under ${location} are locked cannot be told`,
      {
        remedy: `Grant ${right}: a locked version outlives an erasure`,
        data: { location, right },
      },
    );
  }
}
