import { type FileHandle, open } from 'node:fs/promises';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import type { S3Sender } from './clients.ts';
import type { S3Place } from './place.ts';
import type { Sdk } from './sdk.ts';
import { ABSENT, putIf, refusalOf, type Write, writeOwned } from './write.ts';

/** Parts on their way at the same time; each is in memory. */
const AT_ONCE = 4;
/** S3's own limit. */
const MOST_PARTS = 10_000;

/**
 * Uploads a file of this machine to a place where none may be yet: in one piece where it is no larger than a part, else in parts of
 * which a few are in memory. An upload that fails is aborted; one that is killed stays unfinished, and goes with the old versions.
 *
 * @throws FailedError `storage/exists`, `storage/unknown-outcome`, `storage/write-failed`
 */
export async function uploadFile(
  sender: S3Sender,
  place: S3Place,
  { path, partSize }: { readonly path: string; readonly partSize: number },
): Promise<void> {
  const file = await open(path, 'r');
  const write = { place, condition: ABSENT };
  try {
    const { size } = await file.stat();
    if (size <= partSize) await putIf(sender, write, await piece(file, { offset: 0, length: size }));
    else {
      const length = Math.max(partSize, Math.ceil(size / MOST_PARTS));
      await writeOwned(sender, write, ({ Metadata }) =>
        new Upload(sender, write, { file, size, length, metadata: Metadata }).run(),
      );
    }
  } finally {
    await file.close();
  }
}

interface Source {
  readonly file: FileHandle;
  readonly size: number;
  /** Of one part. */
  readonly length: number;
  readonly metadata: Record<string, string>;
}

class Upload {
  readonly #sender: S3Sender;
  readonly #write: Write;
  readonly #source: Source;
  readonly #at: { readonly Bucket: string; readonly Key: string };

  constructor(sender: S3Sender, write: Write, source: Source) {
    this.#sender = sender;
    this.#write = write;
    this.#source = source;
    this.#at = { Bucket: write.place.bucket, Key: write.place.key };
  }

  async run(): Promise<void> {
    const { place } = this.#write;
    const id = await this.#send((client, sdk) =>
      client
        .send(
          new sdk.CreateMultipartUploadCommand({
            ...this.#at,
            Metadata: this.#source.metadata,
            ChecksumAlgorithm: 'CRC32',
          }),
        )
        .then(({ UploadId }) => UploadId!),
    );
    try {
      const parts = await this.#parts(id);
      await this.#send(async (client, sdk) => {
        const input = { ...this.#at, UploadId: id, MultipartUpload: { Parts: [...parts] }, ...ABSENT };
        try {
          await client.send(new sdk.CompleteMultipartUploadCommand(input));
        } catch (error) {
          throw refusalOf(this.#write, error);
        }
      });
    } catch (error) {
      // The first failure is the one to report; what cannot be aborted now goes with the old versions.
      await this.#sender
        .send({ doing: 'removed', right: 's3:AbortMultipartUpload', place }, (client, sdk) =>
          client.send(new sdk.AbortMultipartUploadCommand({ ...this.#at, UploadId: id })),
        )
        .catch(() => {});
      throw error;
    }
  }

  async #parts(id: string): Promise<readonly CompletedPart[]> {
    const { size, length } = this.#source;
    const count = Math.ceil(size / length);
    const parts: CompletedPart[] = [];
    let next = 0;
    let failed = false;
    const lane = async (): Promise<void> => {
      while (next < count && !failed) {
        const index = next++;
        const offset = index * length;
        try {
          parts[index] = await this.#part(id, {
            number: index + 1,
            range: { offset, length: Math.min(length, size - offset) },
          });
        } catch (error) {
          failed = true;
          throw error;
        }
      }
    };
    await allSettled(Array.from({ length: Math.min(AT_ONCE, count) }, lane));
    return parts;
  }

  async #part(
    id: string,
    { number, range }: { readonly number: number; readonly range: Range },
  ): Promise<CompletedPart> {
    const body = await piece(this.#source.file, range);
    const { ETag, ChecksumCRC32 } = await this.#send((client, sdk) =>
      client.send(
        new sdk.UploadPartCommand({
          ...this.#at,
          UploadId: id,
          PartNumber: number,
          Body: body,
          ChecksumAlgorithm: 'CRC32',
        }),
      ),
    );
    return { PartNumber: number, ETag, ...(ChecksumCRC32 === undefined ? {} : { ChecksumCRC32 }) };
  }

  #send<T>(use: (client: S3Client, sdk: Sdk) => Promise<T>): Promise<T> {
    return this.#sender.send({ doing: 'written', right: 's3:PutObject', place: this.#write.place }, use);
  }
}

/** Waits for all, so that nothing is sent after an abort, then throws the first failure. */
async function allSettled(lanes: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(lanes);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

interface Range {
  readonly offset: number;
  readonly length: number;
}

async function piece(file: FileHandle, { offset, length }: Range): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) throw new RangeError('the file became shorter while it was uploaded');
    filled += bytesRead;
  }
  return bytes;
}
