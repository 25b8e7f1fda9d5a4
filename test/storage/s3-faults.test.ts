import { rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storageAt } from '../support/s3/bucket-of.ts';
import { bytes, type FaultyBucket, first, openFaultyBucket, text } from '../support/s3/faulty-bucket.ts';
import type { Fault, Seen } from '../support/s3/faulty-proxy.ts';

let at: FaultyBucket;
let { stub, proxy, storage, root, temporary } = {} as FaultyBucket;
beforeEach(async () => {
  at = await openFaultyBucket();
  ({ stub, proxy, storage, root, temporary } = at);
});
afterEach(async () => {
  await storage.close!();
  await at.close();
});

const BUSY: Fault = { kind: 'answer', status: 503, code: 'SlowDown' };

describe('a write whose answer is lost', () => {
  test.each<Fault['kind']>(['lost-answer', 'half'])('%s: knows its own file again', async (kind) => {
    const fault = kind === 'half' ? ({ kind, open: false } as const) : ({ kind } as Fault);
    proxy.fault = first(1, 'PUT', fault);
    await storage.writeIfAbsent(`${root}/v2.metadata.json`, bytes('mine'));
    expect(text(await storage.read(`${root}/v2.metadata.json`))).toBe('mine');
  });

  test('that was sent again and again is still its own', async () => {
    proxy.fault = first(3, 'PUT', { kind: 'lost-answer' });
    await storage.writeIfAbsent(`${root}/v2.metadata.json`, bytes('mine'));
    expect(text(await storage.read(`${root}/v2.metadata.json`))).toBe('mine');
  });

  test('and that another writer was before is not taken for its own', async () => {
    await storageAt(stub.endpoint).writeIfAbsent(`${root}/v2.metadata.json`, bytes('theirs'));
    proxy.fault = first(2, 'PUT', { kind: 'lost-answer' });
    const late = storage.writeIfAbsent(`${root}/v2.metadata.json`, bytes('mine'));
    await expect(late).rejects.toMatchObject({ code: 'storage/exists' });
    expect(text(await storage.read(`${root}/v2.metadata.json`))).toBe('theirs');
  });

  test('and after which nobody can be asked is of unknown outcome', async () => {
    proxy.fault = ({ method }) => ({ kind: method === 'PUT' ? 'lost-answer' : 'cut' });
    const write = storage.writeIfAbsent(`${root}/v2.metadata.json`, bytes('mine'));
    await expect(write).rejects.toMatchObject({ kind: 'failed', code: 'storage/unknown-outcome' });
  });

  test('that never got through has written nothing, and says so', async () => {
    proxy.fault = first(3, 'PUT', { kind: 'cut' });
    const write = storage.writeIfAbsent(`${root}/a`, bytes('x'));
    await expect(write).rejects.toMatchObject({ kind: 'failed', code: 'storage/write-failed' });
    proxy.fault = () => undefined;
    await expect(storage.stat(`${root}/a`)).rejects.toMatchObject({ code: 'storage/not-found' });
  });

  test('that meets another request for its key is sent again', async () => {
    proxy.fault = first(2, 'PUT', { kind: 'answer', status: 409, code: 'ConditionalRequestConflict' });
    await storage.writeIfAbsent(`${root}/a`, bytes('x'));
    expect(text(await storage.read(`${root}/a`))).toBe('x');
  });
});

describe('a read', () => {
  const content = 'one two three '.repeat(1000);
  beforeEach(() => storageAt(stub.endpoint).writeIfAbsent(`${root}/a`, bytes(content)));

  test.each<[string, Fault]>([
    ['is busy', BUSY],
    ['fails', { kind: 'answer', status: 500, code: 'InternalError' }],
    ['cuts the connection', { kind: 'cut' }],
    ['is silent', { kind: 'silence' }],
    ['cuts its answer short', { kind: 'half', open: false }],
    ['falls silent in its answer', { kind: 'half', open: true }],
  ])('goes on where it was when the server %s', async (_, fault) => {
    proxy.fault = first(1, 'GET', fault);
    expect(text(await storage.read(`${root}/a`))).toBe(content);
    proxy.fault = first(1, 'GET', fault);
    expect(text(await storage.read(`${root}/a`, { offset: 4, length: 1000 }))).toBe(content.slice(4, 1004));
    proxy.fault = first(1, 'GET', fault);
    const size = await storage.withLocalFile(`${root}/a`, async (path) => (await stat(path)).size);
    expect(size).toBe(content.length);
  });

  test('fails by name when that never ends', async () => {
    for (const fault of [{ kind: 'half', open: false }, { kind: 'cut' }] as const) {
      proxy.fault = () => fault;
      await expect(storage.read(`${root}/a`)).rejects.toMatchObject({
        kind: 'failed',
        code: 'storage/read-failed',
      });
      await expect(storage.withLocalFile(`${root}/a`, async () => 1)).rejects.toMatchObject({
        code: 'storage/read-failed',
      });
    }
  });

  test('never joins two contents of one name', async () => {
    let replaced = false;
    proxy.fault = ({ method }) => {
      if (method !== 'GET' || replaced) return undefined;
      replaced = true;
      setTimeout(() => void storageAt(stub.endpoint).replace(`${root}/a`, bytes('X'.repeat(14_000))), 0);
      return { kind: 'half', open: true };
    };
    await expect(storage.read(`${root}/a`)).rejects.toMatchObject({ code: 'storage/changed' });
  });
});

describe('a large upload', () => {
  const PART = 5 << 20;
  let local: string;
  beforeEach(async () => {
    await storage.close!();
    storage = storageAt(proxy.endpoint, { timeoutMs: 2000, attempts: 3, temporary, partSize: PART });
    local = join(tmpdir(), `lethe-upload-${process.pid}`);
    await writeFile(local, Buffer.alloc(2 * PART + 1, 'x'));
  });
  afterEach(() => rm(local, { force: true }));

  test('goes in parts, and is whole or not at all', async () => {
    await storage.publish(local, `${root}/data/a.parquet`);
    expect(await storage.stat(`${root}/data/a.parquet`)).toMatchObject({ size: 2 * PART + 1 });
    expect(proxy.seen.filter(({ url }) => url.includes('partNumber='))).toHaveLength(3);
    await expect(stat(local)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('that loses the answer to its end knows its own file again', async () => {
    let lost = 0;
    proxy.fault = ({ method, url }) =>
      method === 'POST' && url.includes('uploadId=') && lost++ === 0 ? { kind: 'lost-answer' } : undefined;
    await storage.publish(local, `${root}/data/a.parquet`);
    expect(await storage.stat(`${root}/data/a.parquet`)).toMatchObject({ size: 2 * PART + 1 });
  });

  test.each<[string, (seen: Seen) => boolean]>([
    ['a part', ({ url }) => url.includes('partNumber=2')],
    ['the end', ({ method, url }) => method === 'POST' && url.includes('uploadId=')],
  ])('that fails at %s is aborted, and keeps the local file', async (_, hit) => {
    proxy.fault = (seen) => (hit(seen) ? BUSY : undefined);
    const failed = { code: 'storage/write-failed' };
    await expect(storage.publish(local, `${root}/data/a.parquet`)).rejects.toMatchObject(failed);
    const [bucket] = stub.buckets.values();
    expect(bucket!.uploads.size).toBe(0);
    expect(bucket!.objects.size).toBe(0);
    expect((await stat(local)).size).toBe(2 * PART + 1);
  });

  test('never takes the place of another file', async () => {
    await storageAt(stub.endpoint).writeIfAbsent(`${root}/data/a.parquet`, bytes('theirs'));
    const late = storage.publish(local, `${root}/data/a.parquet`);
    await expect(late).rejects.toMatchObject({ code: 'storage/exists' });
    expect(text(await storage.read(`${root}/data/a.parquet`))).toBe('theirs');
    expect([...stub.buckets.values()][0]!.uploads.size).toBe(0);
  });
});

describe('what S3 refuses is said by name, and without keys', () => {
  const REFUSALS: readonly [string, Fault, object][] = [
    [
      'a right',
      { kind: 'answer', status: 403, code: 'AccessDenied' },
      { kind: 'refused', code: 'storage/denied' },
    ],
    [
      'another region',
      {
        kind: 'answer',
        status: 301,
        code: 'PermanentRedirect',
        headers: { 'x-amz-bucket-region': 'eu-west-3' },
      },
      { kind: 'input', code: 'storage/other-region', data: { region: 'eu-west-3' } },
    ],
    [
      'the signature',
      { kind: 'answer', status: 403, code: 'SignatureDoesNotMatch' },
      { kind: 'failed', code: 'storage/credentials' },
    ],
    [
      'a token that is over',
      { kind: 'answer', status: 400, code: 'ExpiredToken' },
      { kind: 'failed', code: 'storage/credentials' },
    ],
    [
      'the bucket',
      { kind: 'answer', status: 404, code: 'NoSuchBucket' },
      { kind: 'failed', code: 'storage/no-bucket' },
    ],
  ];
  test.each(REFUSALS)('%s', async (_, fault, expected) => {
    proxy.fault = () => fault;
    const errors = await Promise.all([
      storage.read(`${root}/a`).catch((error: unknown) => error),
      storage.writeIfAbsent(`${root}/a`, bytes('x')).catch((error: unknown) => error),
      storage
        .list(root)
        [Symbol.asyncIterator]()
        .next()
        .catch((error: unknown) => error),
    ]);
    for (const error of errors) {
      expect(error).toMatchObject(expected);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(
        /AKIDSHOWN|never-to-be-shown|AWS4-HMAC/,
      );
    }
  });

  test('a bucket that is not there, though HEAD cannot say so', async () => {
    const gone = storageAt(stub.endpoint).stat('s3://no-such-bucket/a');
    await expect(gone).rejects.toMatchObject({ code: 'storage/no-bucket' });
  });
});

describe('credentials that are handed out', () => {
  test('are asked for again when they are over in the middle', async () => {
    const asked: boolean[] = [];
    const vended = storageAt(proxy.endpoint, {
      accessOf: async (location, { renew }) => {
        expect(location).toBe(`${root}/a`);
        asked.push(renew);
        const credentials = { accessKeyId: `key-${asked.length}`, secretAccessKey: 's', sessionToken: 't' };
        return { endpoint: proxy.endpoint, pathStyle: true, credentials };
      },
    });
    proxy.fault = first(1, 'PUT', { kind: 'answer', status: 400, code: 'ExpiredToken' });
    await vended.writeIfAbsent(`${root}/a`, bytes('x'));
    expect(asked).toEqual([false, true]);
    expect(text(await storage.read(`${root}/a`))).toBe('x');
    // An answer to HEAD has no body, and says no more than its status.
    asked.length = 0;
    proxy.fault = first(1, 'HEAD', { kind: 'answer', status: 400, code: 'ExpiredToken' });
    expect(await vended.stat(`${root}/a`)).toMatchObject({ size: 1 });
    expect(asked).toEqual([false, true]);
    await vended.close!();
  });

  test('by a function are asked for again too', async () => {
    let asked = 0;
    const source = storageAt(proxy.endpoint, {
      credentials: async () => ({ accessKeyId: `key-${++asked}`, secretAccessKey: 's' }),
    });
    proxy.fault = first(1, 'PUT', { kind: 'answer', status: 400, code: 'ExpiredToken' });
    await source.writeIfAbsent(`${root}/a`, bytes('x'));
    expect(asked).toBe(2);
    await source.close!();
  });
});

test('a location outside every declared root is refused before anything is sent', async () => {
  const [bucket] = stub.buckets.keys();
  const refused = { kind: 'refused', code: 'storage/outside' };
  for (const outside of [`s3://${bucket}/other/a`, `s3://${bucket}/wh-other/a`, 's3://elsewhere/wh/a']) {
    await expect(storage.read(outside)).rejects.toMatchObject(refused);
    await expect(storage.remove(outside)).rejects.toMatchObject(refused);
    await expect(storage.writeIfAbsent(outside, bytes('x'))).rejects.toMatchObject(refused);
    await expect(storage.list(outside)[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
    await expect(
      storage.versions(outside)!.list(outside)[Symbol.asyncIterator]().next(),
    ).rejects.toMatchObject(refused);
  }
  expect(proxy.seen).toEqual([]);
});
