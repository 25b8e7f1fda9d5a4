import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StoredBucket } from './bucket.ts';
import { answerBucket } from './bucket-requests.ts';
import { answerObject } from './object-requests.ts';
import { xmlError } from './xml.ts';

/** A request as the handlers see it. */
export interface S3Request {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer | string;
}

/** An S3 in this process. */
export interface S3Stub {
  readonly endpoint: string;
  readonly buckets: Map<string, StoredBucket>;
  /** What a request of this right may not do: `s3:ListBucketVersions` … */
  readonly denied: Set<string>;
  /** Every request so far, as `METHOD key?query` with the query's names alone. */
  readonly requests: string[];
  close(): Promise<void>;
}

/**
 * The part of S3 that a storage uses, in memory, written from S3's API reference: conditional writes, pages, ranges, parts, versions,
 * locks. It knows nothing of who asks, and checks no signature; the same contract runs against a real server in test:interop.
 */
export async function startS3Stub(): Promise<S3Stub> {
  const buckets = new Map<string, StoredBucket>();
  const denied = new Set<string>();
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    void answer(request, response, { buckets, denied, requests });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    buckets,
    denied,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { buckets, denied, requests }: Pick<S3Stub, 'buckets' | 'denied' | 'requests'>,
): Promise<void> {
  const parsed = await parse(request);
  const names = [...parsed.query.keys()].filter((name) => name !== 'x-id').join('&');
  requests.push(`${parsed.method} ${parsed.key}${names === '' ? '' : `?${names}`}`);
  const { status, headers = {}, body = '' } = answerTo(parsed, { buckets, denied });
  const bytes = Buffer.from(body);
  const length = parsed.method === 'HEAD' ? {} : { 'content-length': bytes.length };
  response.writeHead(status, { ...length, ...headers });
  response.end(parsed.method === 'HEAD' || status === 204 ? undefined : bytes);
}

function answerTo(request: S3Request, { buckets, denied }: Pick<S3Stub, 'buckets' | 'denied'>): S3Answer {
  const right = rightOf(request);
  if (denied.has(right)) return xmlError(403, 'AccessDenied');
  if (request.key === '' && request.method === 'PUT' && request.query.size === 0) {
    const made = new StoredBucket();
    made.locks = request.headers['x-amz-bucket-object-lock-enabled'] === 'true';
    if (made.locks) made.versioning = 'Enabled';
    buckets.set(request.bucket, made);
    return { status: 200 };
  }
  const bucket = buckets.get(request.bucket);
  if (bucket === undefined) return xmlError(404, 'NoSuchBucket');
  return request.key === '' ? answerBucket(bucket, request) : answerObject(bucket, request, denied);
}

/** The right that a request needs, of those that tests deny. */
function rightOf({ method, key, query }: S3Request): string {
  if (query.has('versions')) return 's3:ListBucketVersions';
  if (query.has('versioning')) return 's3:GetBucketVersioning';
  if (query.has('object-lock')) return 's3:GetBucketObjectLockConfiguration';
  if (query.has('uploads') && key === '') return 's3:ListBucketMultipartUploads';
  if (query.has('retention')) return 's3:GetObjectRetention';
  if (key === '') return method === 'GET' ? 's3:ListBucket' : '';
  return (
    { GET: 's3:GetObject', HEAD: 's3:GetObject', PUT: 's3:PutObject', DELETE: 's3:DeleteObject' }[method] ??
    ''
  );
}

async function parse(request: IncomingMessage): Promise<S3Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  return {
    method: request.method ?? '',
    bucket: decodeURIComponent(bucket),
    key: decodeURIComponent(key),
    query: new URLSearchParams(query),
    headers: request.headers,
    body: Buffer.concat(chunks),
  };
}
