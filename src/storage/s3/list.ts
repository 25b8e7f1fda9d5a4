import type { FileStat, NameOnly } from '../storage.ts';
import type { S3Sender } from './clients.ts';
import { nextPage } from './pages.ts';
import { type S3Place, s3Location, s3Prefix } from './place.ts';

/** An object as S3 lists it. */
interface Listed {
  readonly key: string;
  readonly size: number;
  readonly modified: number;
  readonly etag: string | undefined;
}

/** Every object whose key begins so, a page of a thousand at a time, by the bytes of their keys. */
async function* objects(
  sender: S3Sender,
  place: S3Place,
  prefix: string = s3Prefix(place),
): AsyncGenerator<Listed> {
  let token: string | undefined;
  do {
    const page = await sender.send({ doing: 'listed', right: 's3:ListBucket', place }, (client, sdk) =>
      client.send(
        new sdk.ListObjectsV2Command({
          Bucket: place.bucket,
          Prefix: prefix,
          EncodingType: 'url',
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }),
      ),
    );
    const decode = keyDecoder(page.EncodingType);
    for (const { Key = '', Size = 0, LastModified, ETag } of page.Contents ?? []) {
      yield { key: decode(Key), size: Size, modified: LastModified?.getTime() ?? 0, etag: ETag };
    }
    token = nextPage(place, { truncated: page.IsTruncated, from: token, next: page.NextContinuationToken });
  } while (token !== undefined);
}

/** Keys can hold what XML cannot, so they are asked for encoded; a server that does not know how gives them as they are. */
export function keyDecoder(encoding: string | undefined): (key: string) => string {
  if (encoding !== 'url') return (key) => key;
  return (key) => decodeURIComponent(key.replaceAll('+', ' '));
}

/** The files under a place, or with keys that begin so. What ends with a slash is the mark of a folder, and no file. */
export async function* listFiles(
  sender: S3Sender,
  place: S3Place,
  prefix?: string,
): AsyncGenerator<FileStat> {
  for await (const { key, size, modified, etag } of objects(sender, place, prefix)) {
    if (isMark(key)) continue;
    const location = s3Location({ ...place, key });
    yield { location, size, modified, ...(etag === undefined ? {} : { version: etag }) };
  }
}

/** The marks of folders under a place, which consoles and Hadoop leave; one that has bytes in it is something else. */
export async function* listMarks(sender: S3Sender, place: S3Place): AsyncGenerator<NameOnly> {
  for await (const { key, size } of objects(sender, place)) {
    if (isMark(key)) {
      yield { location: s3Location({ ...place, key }), kind: size === 0 ? 'empty-folder' : 'special' };
    }
  }
}

/** Removes the marks of folders named `column=value` under which nothing lies but other such marks. */
export async function removeMarks(sender: S3Sender, place: S3Place): Promise<readonly string[]> {
  const open: { readonly key: string; used: boolean }[] = [];
  const unused: string[] = [];
  const close = (key: string): void => {
    for (let last = open.at(-1); last !== undefined && !key.startsWith(last.key); last = open.at(-1)) {
      open.pop();
      if (!last.used) unused.push(last.key);
    }
  };
  for await (const { key, size } of objects(sender, place)) {
    close(key);
    if (size === 0 && /=[^/]*\/$/.test(key)) open.push({ key, used: false });
    else for (const each of open) each.used = true;
  }
  close('');
  while (open.length > 0) {
    const last = open.pop()!;
    if (!last.used) unused.push(last.key);
  }
  for (const key of unused) await removeKey(sender, { ...place, key });
  return unused.map((key) => s3Location({ ...place, key }));
}

/** Deletes a key, there or not. */
export async function removeKey(sender: S3Sender, place: S3Place): Promise<void> {
  await sender.send({ doing: 'removed', right: 's3:DeleteObject', place }, (client, sdk) =>
    client.send(new sdk.DeleteObjectCommand({ Bucket: place.bucket, Key: place.key })),
  );
}

function isMark(key: string): boolean {
  return key.endsWith('/');
}
