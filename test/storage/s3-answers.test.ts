import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storageAt } from '../support/s3/bucket-of.ts';
import { bytes, type FaultyBucket, first, openFaultyBucket, text } from '../support/s3/faulty-bucket.ts';

// What an answer leaves out must not be taken for nothing: a file would look empty, and a listing whole.

let at: FaultyBucket;
let { stub, proxy, storage, root } = {} as FaultyBucket;
beforeEach(async () => {
  at = await openFaultyBucket();
  ({ stub, proxy, storage, root } = at);
});
afterEach(() => at.close());

const drained = async (listing: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of listing);
};

describe('an answer without its length', () => {
  beforeEach(() => storage.writeIfAbsent(`${root}/a.csv`, bytes('3590,ada@example.com\n'.repeat(5_000))));

  test('is taken to its end', async () => {
    proxy.fault = first(1, 'GET', { kind: 'chunked', cut: false });
    expect(text(await storage.read(`${root}/a.csv`))).toBe('3590,ada@example.com\n'.repeat(5_000));
  });

  test('is taken to its end in a copy too', async () => {
    proxy.fault = first(1, 'GET', { kind: 'chunked', cut: false });
    const size = await storage.withLocalFile(`${root}/a.csv`, async (path) => (await stat(path)).size);
    expect(size).toBe(105_000);
  });

  test('that breaks off is no file', async () => {
    proxy.fault = first(1, 'GET', { kind: 'chunked', cut: true });
    await expect(storage.read(`${root}/a.csv`)).rejects.toMatchObject({ code: 'storage/read-failed' });
  });
});

describe('a listing', () => {
  test('of half a page is asked for again', async () => {
    for (let n = 0; n < 30; n += 1) await storageAt(stub.endpoint).writeIfAbsent(`${root}/${n}`, bytes('x'));
    proxy.fault = first(2, 'GET', { kind: 'half', open: false });
    const found: string[] = [];
    for await (const { location } of storage.list(root)) found.push(location);
    expect(found).toHaveLength(30);
  });

  // Whoever took such a page for the last would scan and purge a part of the bucket, and call it clean.
  const edits: readonly [string, (text: string) => string][] = [
    ['without saying where the rest begins', (page) => page.replaceAll(/<Next(\w+)>[^<]*<\/Next\1>/g, '')],
    [
      'whose rest begins where it began itself',
      (page) =>
        page
          .replace(/<NextContinuationToken>[^<]*</, '<NextContinuationToken>the same<')
          .replace(
            /<IsTruncated>false<\/IsTruncated>/,
            '<IsTruncated>true</IsTruncated><NextContinuationToken>the same</NextContinuationToken>',
          ),
    ],
  ];
  test.each(edits)('of half a page %s is an error', async (_, edit) => {
    for (let made = 0; made <= 1000; made += 1) await storage.writeIfAbsent(`${root}/${made}`, bytes('x'));
    proxy.fault = ({ method }) => (method === 'GET' ? { kind: 'edit', edit } : undefined);
    await expect(drained(storage.list(root))).rejects.toMatchObject({ code: 'storage/list-failed' });
  });

  test('of half a page of versions or uploads is an error', async () => {
    const half = (page: string): string =>
      page.replace('<IsTruncated>false</IsTruncated>', '<IsTruncated>true</IsTruncated>');
    for (const listed of ['versions', 'uploads']) {
      proxy.fault = ({ url }) =>
        url.includes(`?${listed}`) || url.includes(`&${listed}`) ? { kind: 'edit', edit: half } : undefined;
      const listing = drained(storage.versions(root)!.list(root));
      await expect(listing).rejects.toMatchObject({ code: 'storage/list-failed' });
    }
  });
});
