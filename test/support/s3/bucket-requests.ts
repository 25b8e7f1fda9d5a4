import { isLocked, type StoredBucket } from './bucket.ts';
import type { S3Answer, S3Request } from './server.ts';
import { contents, element, urlEncoded, xmlAnswer, xmlError } from './xml.ts';

/** Answers what is asked of a whole bucket. */
export function answerBucket(bucket: StoredBucket, request: S3Request): S3Answer {
  const { method, query, body } = request;
  if (method === 'HEAD') return { status: 200 };
  if (query.has('versioning'))
    return method === 'PUT' ? setVersioning(bucket, String(body)) : versioningOf(bucket);
  if (query.has('object-lock')) {
    return bucket.locks
      ? xmlAnswer('ObjectLockConfiguration', element('ObjectLockEnabled', 'Enabled'))
      : xmlError(404, 'ObjectLockConfigurationNotFoundError');
  }
  if (query.has('versions')) return listVersions(bucket, query);
  if (query.has('uploads')) return listUploads(bucket, query);
  if (query.has('delete')) return removeAll(bucket, String(body));
  if (query.get('list-type') === '2') return listObjects(bucket, query);
  return xmlError(501, 'NotImplemented');
}

function setVersioning(bucket: StoredBucket, body: string): S3Answer {
  bucket.versioning = contents(body, 'Status')[0] === 'Enabled' ? 'Enabled' : 'Suspended';
  return { status: 200 };
}

function versioningOf({ versioning, secondFactor }: StoredBucket): S3Answer {
  const factor = secondFactor ? 'Enabled' : undefined;
  return xmlAnswer('VersioningConfiguration', element('Status', versioning), element('MfaDelete', factor));
}

function listObjects(bucket: StoredBucket, query: URLSearchParams): S3Answer {
  const { most, encode, encoding } = paging(query);
  const from = query.get('continuation-token');
  const after = from === null ? '' : Buffer.from(from, 'base64').toString();
  const keys = bucket
    .keys(query.get('prefix') ?? '')
    .filter(
      (key) => bucket.current(key) !== undefined && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0,
    );
  const page = keys.slice(0, most);
  const more = page.length < keys.length;
  return xmlAnswer(
    'ListBucketResult',
    encoding,
    element('IsTruncated', more),
    element('NextContinuationToken', more ? Buffer.from(page.at(-1)!).toString('base64') : undefined),
    ...page.map((key) => {
      const { bytes, etag, modified } = bucket.current(key)!;
      const size = element('Size', bytes.length);
      return element(
        'Contents',
        element('Key', encode(key)) + size + changed(modified) + element('ETag', etag),
      );
    }),
  );
}

function listVersions(bucket: StoredBucket, query: URLSearchParams): S3Answer {
  const { most, encode, encoding } = paging(query);
  const all = bucket
    .keys(query.get('prefix') ?? '')
    .flatMap((key) =>
      bucket.objects.get(key)!.map((version, index) => ({ key, version, latest: index === 0 })),
    );
  const [keyMarker, idMarker] = [query.get('key-marker'), query.get('version-id-marker')];
  const begin =
    keyMarker === null
      ? 0
      : all.findLastIndex(
          ({ key, version }) => key === keyMarker && (idMarker === null || version.id === idMarker),
        ) + 1;
  const page = all.slice(begin, begin + most);
  const last = page.at(-1);
  const more = begin + page.length < all.length;
  return xmlAnswer(
    'ListVersionsResult',
    encoding,
    element('IsTruncated', more),
    element('NextKeyMarker', more ? encode(last!.key) : undefined),
    element('NextVersionIdMarker', more ? last!.version.id : undefined),
    ...page.map(({ key, version, latest }) => {
      const { marker, id, modified, bytes } = version;
      const size = marker ? '' : element('Size', bytes.length);
      const rest = element('VersionId', id) + element('IsLatest', latest) + changed(modified) + size;
      return element(marker ? 'DeleteMarker' : 'Version', element('Key', encode(key)) + rest);
    }),
  );
}

function listUploads({ uploads }: StoredBucket, query: URLSearchParams): S3Answer {
  const { encode, encoding } = paging(query);
  const under = [...uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''));
  return xmlAnswer(
    'ListMultipartUploadsResult',
    encoding,
    element('IsTruncated', false),
    ...under.map(([id, { key, begun }]) => {
      const initiated = element('Initiated', begun.toISOString());
      return element('Upload', element('Key', encode(key)) + element('UploadId', id) + initiated);
    }),
  );
}

function removeAll(bucket: StoredBucket, body: string): S3Answer {
  const objects = contents(body, 'Object');
  if (objects.length > 1000) return xmlError(400, 'MalformedXML');
  const errors = objects.map((object) => {
    const [key = '', id = ''] = [contents(object, 'Key')[0], contents(object, 'VersionId')[0]];
    const version = bucket.version(key, id);
    if (version !== undefined && isLocked(version)) {
      return element(
        'Error',
        element('Key', key) + element('VersionId', id) + element('Code', 'AccessDenied'),
      );
    }
    bucket.purge(key, id);
    return '';
  });
  return xmlAnswer('DeleteResult', ...errors);
}

function paging(query: URLSearchParams): {
  readonly most: number;
  readonly encode: (key: string) => string;
  readonly encoding: string;
} {
  const encoded = query.get('encoding-type') === 'url';
  return {
    most: Number(query.get('max-keys') ?? 1000),
    encode: encoded ? urlEncoded : (key) => key,
    encoding: element('EncodingType', encoded ? 'url' : undefined),
  };
}

function changed(modified: Date): string {
  return element('LastModified', modified.toISOString());
}
