import { FailedError, LetheError } from '../../errors.ts';
import type { S3Sender } from './clients.ts';
import { isMissing, s3Fault } from './errors.ts';
import { type S3Place, s3Location } from './place.ts';

/** The user metadata by which a writer knows its own file again. */
const TOKEN = 'lethe-write';

/** A condition that S3 checks as it writes. */
export type Condition = { readonly IfNoneMatch: '*' } | { readonly IfMatch: string };

/** The file must not be there. */
export const ABSENT: Condition = { IfNoneMatch: '*' };

/** A conditional write of one file. */
export interface Write {
  readonly place: S3Place;
  readonly condition: Condition;
}

/** What is put beside the bytes. */
export interface Owned {
  readonly Metadata: Record<string, string>;
}

/**
 * Writes a file if the condition holds.
 *
 * @throws FailedError `storage/exists`, `storage/changed`, `storage/unknown-outcome`
 */
export async function putIf(sender: S3Sender, write: Write, bytes: Uint8Array): Promise<void> {
  const { place, condition } = write;
  await writeOwned(sender, write, (owned) =>
    sender.send({ doing: 'written', right: 's3:PutObject', place }, async (client, sdk) => {
      const { bucket: Bucket, key: Key } = place;
      try {
        await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body: bytes, ...condition, ...owned }));
      } catch (error) {
        throw refusalOf(write, error);
      }
    }),
  );
}

/** Writes a file, whatever is there. */
export async function put(sender: S3Sender, place: S3Place, bytes: Uint8Array): Promise<void> {
  await sender.send({ doing: 'written', right: 's3:PutObject', place }, (client, sdk) =>
    client.send(new sdk.PutObjectCommand({ Bucket: place.bucket, Key: place.key, Body: bytes })),
  );
}

/** How often S3 may say that another request for the same key is on its way. */
const MOST_CONFLICTS = 10;
const CONFLICT = 'storage/conflict';
/** After these a write may have landed; after all others it has not. */
const DOUBTFUL = new Set([CONFLICT, 'storage/exists', 'storage/changed', 'storage/write-failed']);

/**
 * Runs a conditional write, and where it does not succeed looks whether it landed all the same: a write whose answer was lost is
 * sent again by the SDK, and then finds its own file in the way (hazard 44). Taken for another's, the files of a commit that
 * was made would be removed.
 */
export async function writeOwned(
  sender: S3Sender,
  write: Write,
  use: (owned: Owned) => Promise<void>,
): Promise<void> {
  const token = sender.token();
  for (let conflicts = 0; ; conflicts += 1) {
    try {
      return await use({ Metadata: { [TOKEN]: token } });
    } catch (error) {
      const code = error instanceof LetheError ? error.code : '';
      if (code === CONFLICT && conflicts < MOST_CONFLICTS) continue;
      if (!DOUBTFUL.has(code)) throw error;
      if (await isOwn(sender, write.place, token)) return;
      throw code === CONFLICT ? taken(write) : error;
    }
  }
}

/** What S3 says about the condition of a write, as a typed error; other errors as they are. */
export function refusalOf(write: Write, error: unknown): unknown {
  const { status } = s3Fault(error);
  if (status === 412 || ('IfMatch' in write.condition && isMissing(error))) return taken(write);
  if (status !== 409) return error;
  const location = s3Location(write.place);
  return new FailedError(CONFLICT, `Another request writes ${location} at the same time`, {
    remedy: 'Run again',
    data: { location },
  });
}

function taken({ place, condition }: Write): FailedError {
  const location = s3Location(place);
  const data = { location };
  if ('IfNoneMatch' in condition) {
    return new FailedError('storage/exists', `${location} exists already`, {
      remedy: 'Choose another name, or read what is there',
      data,
    });
  }
  return new FailedError('storage/changed', `${location} is no longer what was read`, {
    remedy: 'Read it again, and decide again',
    data,
  });
}

async function isOwn(sender: S3Sender, place: S3Place, token: string): Promise<boolean> {
  try {
    return await sender.send({ doing: 'read', right: 's3:GetObject', place }, async (client, sdk) => {
      try {
        const head = await client.send(new sdk.HeadObjectCommand({ Bucket: place.bucket, Key: place.key }));
        return head.Metadata?.[TOKEN] === token;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    });
  } catch {
    const location = s3Location(place);
    throw new FailedError('storage/unknown-outcome', `Whether ${location} was written cannot be told`, {
      remedy: 'See that S3 can be reached, then look whether the file is there before writing it again',
      data: { location },
    });
  }
}
