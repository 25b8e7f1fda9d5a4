import { rm } from 'node:fs/promises';
import { ifThere } from '../if-there.ts';
import { type PrivateFolder, privateFolder } from '../private-folder.ts';
import type { Storage } from '../storage.ts';
import { s3Sender } from './clients.ts';
import { isMissing } from './errors.ts';
import { listFiles, listMarks, removeKey, removeMarks } from './list.ts';
import type { S3StorageOptions } from './options.ts';
import { type S3Place, s3File, s3Location, s3Place } from './place.ts';
import { readFile, statFile, withCopy } from './read.ts';
import { s3Roots } from './roots.ts';
import { uploadFile } from './upload.ts';
import { s3Versions } from './versions.ts';
import { ABSENT, put, putIf } from './write.ts';

const PART_SIZE = 16 << 20;
const LEAST_PART_SIZE = 5 << 20;

/**
 * Files in S3, or on a server that speaks it, behind the {@link Storage} port. Needs the package `@aws-sdk/client-s3`. Files are written
 * by S3's conditional requests, so of many writers of one name one wins; old versions in a versioned bucket are listed and removed
 * through {@link Storage.versions} (rule E5).
 *
 * @throws RefusedError `storage/outside`, `storage/scheme`, `storage/denied`; InputError `storage/other-region`, `storage/no-region`,
 * `storage/no-sdk`, `storage/no-key`; FailedError `storage/credentials`, `storage/no-bucket`, `storage/read-failed`,
 * `storage/write-failed`, `storage/remove-failed`, `storage/list-failed`, `storage/unknown-outcome`, from every method, besides what its
 * own contract says. No message holds a key or a signature.
 *
 * @example
 * const storage = s3Storage({ ...system, region: 'eu-central-1', roots: ['s3://lake/wh'] });
 */
export function s3Storage(options: S3StorageOptions): Storage {
  const sender = s3Sender(options);
  const allowed = s3Roots(options.roots ?? []);
  const partSize = Math.max(LEAST_PART_SIZE, options.partSize ?? PART_SIZE);
  const at = (location: string): S3Place => allowed(s3Place(location));
  const fileAt = (location: string): S3Place => allowed(s3File(location));
  let made: Promise<PrivateFolder> | undefined;
  const folder = (): Promise<PrivateFolder> => {
    made ??= privateFolder({ kind: 's3', parent: options.temporary, code: 'storage/temporary' });
    return made;
  };
  const versions = s3Versions({ sender, folder, at });
  return {
    normalize: (location) => s3Location(s3Place(location)),
    stat: async (location) => statFile(sender, fileAt(location)),
    statIfThere: async (location) => ifThere(() => statFile(sender, fileAt(location))),
    read: async (location, range) => readFile(sender, fileAt(location), range),
    writeIfAbsent: async (location, bytes) =>
      putIf(sender, { place: fileAt(location), condition: ABSENT }, bytes),
    replace: async (location, bytes) => put(sender, fileAt(location), bytes),
    replaceIf: async (location, version, bytes) =>
      putIf(sender, { place: fileAt(location), condition: { IfMatch: version } }, bytes),
    list: async function* (prefix) {
      yield* listFiles(sender, at(prefix));
    },
    listBeginning: (start) => {
      const place = fileAt(start);
      return listFiles(sender, place, place.key);
    },
    namesOnly: async function* (prefix) {
      yield* listMarks(sender, at(prefix));
    },
    removeEmptyPartitions: async (prefix) => removeMarks(sender, at(prefix)),
    remove: async (location) => removeFile(fileAt(location)),
    withLocalFile: async (location, use) => withCopy({ sender, folder }, { place: fileAt(location) }, use),
    publish: async (localFile, location) => {
      await uploadFile(sender, fileAt(location), { path: localFile, partSize });
      await rm(localFile);
    },
    copies: () => true,
    versions: () => versions,
    close: async () => {
      sender.close();
      const there = made;
      made = undefined;
      await (await there)?.remove();
    },
  };

  /** S3 does not say whether a key that it removes was there, and leaves a marker in a versioned bucket even where none was. */
  async function removeFile(place: S3Place): Promise<boolean> {
    const there = await sender.send({ doing: 'read', right: 's3:GetObject', place }, async (client, sdk) => {
      try {
        await client.send(new sdk.HeadObjectCommand({ Bucket: place.bucket, Key: place.key }));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    });
    if (there) await removeKey(sender, place);
    return there;
  }
}
