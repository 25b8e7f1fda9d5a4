import type { ListObjectVersionsCommandOutput } from '@aws-sdk/client-s3';
import type { S3Sender } from './clients.ts';
import { keyDecoder } from './list.ts';
import { nextPage } from './pages.ts';
import { type S3Place, s3Prefix } from './place.ts';

/** A version or a delete marker as S3 lists it. */
export interface ListedVersion {
  readonly key: string;
  readonly id: string;
  readonly latest: boolean;
  readonly marker: boolean;
  readonly size: number;
  readonly modified: number;
}

/** All versions under a place as a folder, the current ones too, key by key, of each key the latest first. */
export async function* versionsOf(sender: S3Sender, place: S3Place): AsyncGenerator<ListedVersion> {
  // Versions and markers come apart, so a key is whole only once the next one has begun.
  let held: ListedVersion[] = [];
  for await (const page of pages(sender, place)) {
    const all = [...held, ...listed(page)];
    const last = all.reduce((most, { key }) => (isBefore(most, key) ? key : most), '');
    yield* inOrder(all.filter(({ key }) => key !== last));
    held = all.filter(({ key }) => key === last);
  }
  yield* inOrder(held);
}

async function* pages(sender: S3Sender, place: S3Place): AsyncGenerator<ListObjectVersionsCommandOutput> {
  let from: { readonly KeyMarker: string; readonly VersionIdMarker?: string } | undefined;
  do {
    const request = { doing: 'listed', right: 's3:ListBucketVersions', place } as const;
    const page = await sender.send(request, (client, sdk) =>
      client.send(
        new sdk.ListObjectVersionsCommand({
          Bucket: place.bucket,
          Prefix: s3Prefix(place),
          EncodingType: 'url',
          ...from,
        }),
      ),
    );
    yield page;
    const { IsTruncated, NextKeyMarker, NextVersionIdMarker, EncodingType } = page;
    const next =
      NextKeyMarker === undefined
        ? undefined
        : {
            KeyMarker: keyDecoder(EncodingType)(NextKeyMarker),
            ...(NextVersionIdMarker === undefined ? {} : { VersionIdMarker: NextVersionIdMarker }),
          };
    from = nextPage(place, { truncated: IsTruncated, from, next });
  } while (from !== undefined);
}

function listed(page: ListObjectVersionsCommandOutput): readonly ListedVersion[] {
  const decode = keyDecoder(page.EncodingType);
  const of = (
    given: {
      readonly Key?: string | undefined;
      readonly VersionId?: string | undefined;
      readonly IsLatest?: boolean | undefined;
      readonly LastModified?: Date | undefined;
    },
    rest: { readonly marker: boolean; readonly size: number },
  ): ListedVersion => ({
    key: decode(given.Key ?? ''),
    id: given.VersionId ?? 'null',
    latest: given.IsLatest === true,
    modified: given.LastModified?.getTime() ?? 0,
    ...rest,
  });
  return [
    ...(page.Versions ?? []).map((each) => of(each, { marker: false, size: each.Size ?? 0 })),
    ...(page.DeleteMarkers ?? []).map((each) => of(each, { marker: true, size: 0 })),
  ];
}

/** By key, then the latest first, then by time. */
function inOrder(versions: readonly ListedVersion[]): readonly ListedVersion[] {
  return [...versions].sort((a, b) => {
    if (a.key !== b.key) return isBefore(a.key, b.key) ? -1 : 1;
    return a.latest === b.latest ? b.modified - a.modified : a.latest ? -1 : 1;
  });
}

/** As S3 orders keys: by the bytes of UTF-8, which is the order of code points and not of UTF-16. */
function isBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
