import { isLocked, type StoredBucket, type StoredVersion } from './bucket.ts';
import type { S3Answer, S3Request } from './server.ts';
import { contents, element, escaped, xmlAnswer, xmlError } from './xml.ts';

/** Answers what is asked of one object. */
export function answerObject(
  bucket: StoredBucket,
  request: S3Request,
  denied: ReadonlySet<string>,
): S3Answer {
  const { method, query } = request;
  if (query.has('retention')) return xmlError(404, 'NoSuchObjectLockConfiguration');
  switch (method) {
    case 'HEAD':
    case 'GET':
      return read(bucket, request, denied);
    case 'PUT':
      return query.has('uploadId') ? putPart(bucket, request) : write(bucket, request);
    case 'POST':
      return query.has('uploads') ? begin(bucket, request) : complete(bucket, request);
    case 'DELETE':
      return query.has('uploadId') ? abort(bucket, request) : remove(bucket, request);
    default:
      return xmlError(405, 'MethodNotAllowed');
  }
}

function read(bucket: StoredBucket, request: S3Request, denied: ReadonlySet<string>): S3Answer {
  const { key, query, headers } = request;
  const id = query.get('versionId');
  const found = id === null ? bucket.current(key) : bucket.version(key, id);
  if (found === undefined) return xmlError(404, id === null ? 'NoSuchKey' : 'NoSuchVersion');
  if (found.marker) return xmlError(405, 'MethodNotAllowed');
  if (headers['if-match'] !== undefined && headers['if-match'] !== found.etag) {
    return xmlError(412, 'PreconditionFailed');
  }
  const shown = denied.has('s3:GetObjectRetention') ? withoutLocks(found.headers) : found.headers;
  const common = { ...shown, etag: found.etag, 'last-modified': found.modified.toUTCString() };
  const { length } = found.bytes;
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (from === undefined) {
    return { status: 200, headers: { ...common, 'content-length': length }, body: found.bytes };
  }
  if (Number(from) >= length) return xmlError(416, 'InvalidRange');
  const end = Math.min(to === '' ? length - 1 : Number(to), length - 1);
  const body = found.bytes.subarray(Number(from), end + 1);
  return {
    status: 206,
    headers: { ...common, 'content-length': body.length, 'content-range': `bytes ${from}-${end}/${length}` },
    body,
  };
}

function withoutLocks(headers: StoredVersion['headers']): StoredVersion['headers'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('x-amz-object-lock')),
  );
}

function refusal(bucket: StoredBucket, { key, headers }: S3Request): S3Answer | null {
  const there = bucket.current(key);
  if (headers['if-none-match'] === '*' && there !== undefined) return xmlError(412, 'PreconditionFailed');
  const wanted = headers['if-match'];
  if (wanted === undefined) return null;
  if (there === undefined) return xmlError(404, 'NoSuchKey');
  return there.etag === wanted ? null : xmlError(412, 'PreconditionFailed');
}

function write(bucket: StoredBucket, request: S3Request): S3Answer {
  const refused = refusal(bucket, request);
  if (refused !== null) return refused;
  const { etag, id } = bucket.put(request.key, request.body, keptHeaders(request));
  return { status: 200, headers: { etag, 'x-amz-version-id': id } };
}

function keptHeaders({ headers }: S3Request): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => /^x-amz-(meta|object-lock)-/.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

function remove(bucket: StoredBucket, { key, query }: S3Request): S3Answer {
  const id = query.get('versionId');
  if (id === null) bucket.remove(key);
  else {
    const version = bucket.version(key, id);
    if (version !== undefined && isLocked(version)) return xmlError(403, 'AccessDenied');
    bucket.purge(key, id);
  }
  return { status: 204 };
}

function begin(bucket: StoredBucket, request: S3Request): S3Answer {
  const id = bucket.upload(request.key, keptHeaders(request));
  return xmlAnswer('InitiateMultipartUploadResult', element('UploadId', id));
}

function putPart(bucket: StoredBucket, { query, body }: S3Request): S3Answer {
  const upload = bucket.uploads.get(query.get('uploadId')!);
  if (upload === undefined) return xmlError(404, 'NoSuchUpload');
  upload.parts.set(Number(query.get('partNumber')), body);
  return { status: 200, headers: { etag: `"part-${query.get('partNumber')}"` } };
}

const LEAST_PART = 5 << 20;

function complete(bucket: StoredBucket, request: S3Request): S3Answer {
  const id = request.query.get('uploadId')!;
  const upload = bucket.uploads.get(id);
  if (upload === undefined) return xmlError(404, 'NoSuchUpload');
  const refused = refusal(bucket, request);
  if (refused !== null) return refused;
  const numbers = contents(String(request.body), 'PartNumber').map(Number);
  const parts = numbers.map((number) => upload.parts.get(number));
  if (parts.some((part) => part === undefined)) return xmlError(400, 'InvalidPart');
  const whole = parts as readonly Buffer[];
  if (whole.slice(0, -1).some((part) => part.length < LEAST_PART)) return xmlError(400, 'EntityTooSmall');
  bucket.uploads.delete(id);
  const { etag } = bucket.put(request.key, Buffer.concat(whole), upload.headers);
  return xmlAnswer('CompleteMultipartUploadResult', element('ETag', escaped(etag)));
}

function abort({ uploads }: StoredBucket, { query }: S3Request): S3Answer {
  return uploads.delete(query.get('uploadId')!) ? { status: 204 } : xmlError(404, 'NoSuchUpload');
}
