import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { foldersWith } from '../../src/storage/folders-with.ts';
import type { Storage } from '../../src/storage/index.ts';

/** A storage, empty, and a location under which it may write. */
export interface StorageUnderTest {
  readonly storage: Storage;
  readonly root: string;
  /** The location of the file `a/b` under the root, spelled in another way. */
  readonly spelled: string;
  close(): Promise<void>;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (read: Uint8Array): string => new TextDecoder().decode(read);

/** What every storage promises. */
export function storageContract(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(`${name} as a storage`, () => {
    let at: StorageUnderTest;
    beforeEach(async () => {
      at = await open();
    });
    afterEach(() => at.close());

    const names = async (prefix = at.root): Promise<readonly string[]> => {
      const found: string[] = [];
      for await (const { location } of at.storage.list(prefix)) found.push(location.slice(at.root.length));
      return found;
    };

    test('gives back what was written, whole or in part', async () => {
      const { storage, root } = at;
      await storage.writeIfAbsent(`${root}/a/b.txt`, bytes('one two three'));
      expect(text(await storage.read(`${root}/a/b.txt`))).toBe('one two three');
      expect(text(await storage.read(`${root}/a/b.txt`, { offset: 4, length: 3 }))).toBe('two');
      expect(await storage.read(`${root}/a/b.txt`, { offset: 13, length: 0 })).toHaveLength(0);
      expect(await storage.stat(`${root}/a/b.txt`)).toMatchObject({ size: 13 });
      expect(await storage.statIfThere(`${root}/a/b.txt`)).toEqual(await storage.stat(`${root}/a/b.txt`));
    });

    test('keeps an empty file and a name with spaces, percent signs, quotes and no ASCII', async () => {
      const { storage, root } = at;
      const odd = `${root}/d=2024-01-01%2000/it's "ö" 100% 😀.txt`;
      await storage.writeIfAbsent(odd, bytes(''));
      expect(await storage.read(odd)).toHaveLength(0);
      expect(await names()).toEqual([odd.slice(root.length)]);
    });

    test('lists files by how their location begins, unless asking for names is cheaper', async () => {
      const { storage, root } = at;
      for (const name of ['m/v1.json', 'm/v2.json', 'm/w1.json', 'm/v/x', 'mv3.json'])
        await storage.writeIfAbsent(`${root}/${name}`, bytes(name));
      const found: string[] = [];
      for await (const { location } of storage.listBeginning?.(`${root}/m/v`) ?? []) found.push(location);
      const wanted = ['m/v/x', 'm/v1.json', 'm/v2.json'].map((name) => `${root}/${name}`);
      expect([[], wanted]).toContainEqual(found);
    });

    test('tells the folders that hold a file of a name, unless listing costs no more', async () => {
      const { storage, root } = at;
      for (const name of ['v1.json', 'a/v1.json', 'a/v2.json', 'a/b/c/v1.json', 'a/b/x', 'v1/x'])
        await storage.writeIfAbsent(`${root}/${name}`, bytes(name));
      const found: string[] = [];
      const told = foldersWith(storage, root, (name) => /^v\d/.test(name));
      for await (const folder of told) found.push(folder);
      expect([...new Set(found)].sort()).toEqual([root, `${root}/a`, `${root}/a/b/c`]);
    });

    test('says which file is not there', async () => {
      const { storage, root } = at;
      const gone = { kind: 'failed', code: 'storage/not-found', data: { location: `${root}/gone` } };
      await expect(storage.read(`${root}/gone`)).rejects.toMatchObject(gone);
      await expect(storage.read(`${root}/gone`, { offset: 0, length: 1 })).rejects.toMatchObject(gone);
      await expect(storage.stat(`${root}/gone`)).rejects.toMatchObject(gone);
      expect(await storage.statIfThere(`${root}/gone`)).toBeNull();
      await expect(storage.withLocalFile(`${root}/gone`, async () => 1)).rejects.toMatchObject(gone);
    });

    test('refuses to read beyond the end instead of giving less', async () => {
      const { storage, root } = at;
      await storage.writeIfAbsent(`${root}/a`, bytes('abc'));
      const read = storage.read(`${root}/a`, { offset: 1, length: 3 });
      await expect(read).rejects.toMatchObject({ code: 'storage/short-read' });
    });

    test('never writes over a file, and leaves nothing of the try', async () => {
      const { storage, root } = at;
      await storage.writeIfAbsent(`${root}/a`, bytes('first'));
      const second = storage.writeIfAbsent(`${root}/a`, bytes('second'));
      await expect(second).rejects.toMatchObject({ code: 'storage/exists' });
      expect(text(await storage.read(`${root}/a`))).toBe('first');
      expect(await names()).toEqual(['/a']);
    });

    test('lets exactly one of many writers of one name win', async () => {
      const { storage, root } = at;
      const writers = Array.from({ length: 20 }, (_, index) => `writer ${index}`.repeat(1000));
      const ends = await Promise.allSettled(
        writers.map((content) => storage.writeIfAbsent(`${root}/v2.metadata.json`, bytes(content))),
      );
      const winners = writers.filter((_, index) => ends[index]?.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      expect(text(await storage.read(`${root}/v2.metadata.json`))).toBe(winners[0]);
      expect(await names()).toEqual(['/v2.metadata.json']);
    });

    test('replaces a file whole, there or not', async () => {
      const { storage, root } = at;
      await storage.replace(`${root}/hint`, bytes('12345'));
      await storage.replace(`${root}/hint`, bytes('6'));
      expect(text(await storage.read(`${root}/hint`))).toBe('6');
    });

    test.each([undefined, 'all', 'content', 'nothing'] as const)(
      'writes a file whole whatever of it is to be on disk (%s)',
      async (onDisk) => {
        const { storage, root } = at;
        await storage.writeIfAbsent(`${root}/f/new`, bytes('new'), onDisk);
        await storage.replace(`${root}/f/hint`, bytes('12345'), onDisk);
        await storage.replace(`${root}/f/hint`, bytes('6'), onDisk);
        expect(text(await storage.read(`${root}/f/new`))).toBe('new');
        expect(text(await storage.read(`${root}/f/hint`))).toBe('6');
        const second = storage.writeIfAbsent(`${root}/f/new`, bytes('second'), onDisk);
        await expect(second).rejects.toMatchObject({ code: 'storage/exists' });
        expect(await names()).toEqual(['/f/hint', '/f/new']);
      },
    );

    test('lists every file at any depth in name order, hidden names too', async () => {
      const { storage, root } = at;
      const files = ['/_tmp/x', '/a', '/a-b', '/a/.b.crc', '/a/b/_c', '/a.txt', '/b/c/d/e', '/.hidden'];
      for (const file of files.filter((file) => file !== '/a'))
        await storage.writeIfAbsent(root + file, bytes('x'));
      expect(await names()).toEqual([...files.filter((file) => file !== '/a')].sort());
      expect(await names(`${root}/a`)).toEqual(['/a/.b.crc', '/a/b/_c']);
      expect(await names(`${root}/nowhere`)).toEqual([]);
    });

    test('removes a file once', async () => {
      const { storage, root } = at;
      await storage.writeIfAbsent(`${root}/a`, bytes('x'));
      expect(await storage.remove(`${root}/a`)).toBe(true);
      expect(await storage.remove(`${root}/a`)).toBe(false);
      expect(await names()).toEqual([]);
    });

    test('lends a file to readers of paths, and takes in a finished one', async () => {
      const { storage, root } = at;
      const folder = await mkdtemp(join(tmpdir(), 'lethe-publish-'));
      try {
        await writeFile(join(folder, 'made'), 'made elsewhere');
        await storage.publish(join(folder, 'made'), `${root}/data/new`);
        expect(text(await storage.read(`${root}/data/new`))).toBe('made elsewhere');
        const again = writeFile(join(folder, 'made'), 'again').then(() =>
          storage.publish(join(folder, 'made'), `${root}/data/new`),
        );
        await expect(again).rejects.toMatchObject({ code: 'storage/exists' });
        const { readFile } = await import('node:fs/promises');
        expect(await storage.withLocalFile(`${root}/data/new`, (path) => readFile(path, 'utf8'))).toBe(
          'made elsewhere',
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });

    test('has one form for each location', () => {
      const { storage, root, spelled } = at;
      expect(storage.normalize(spelled)).toBe(storage.normalize(`${root}/a/b`));
      expect(storage.normalize(`${root}/a/`)).toBe(storage.normalize(`${root}/a`));
      expect(storage.normalize(storage.normalize(`${root}/a`))).toBe(storage.normalize(`${root}/a`));
    });

    test('replaces a file only if it still is what was read, where it can', async () => {
      const { storage, root } = at;
      if (storage.replaceIf === undefined) return;
      await storage.replace(`${root}/hint`, bytes('1'));
      const { version } = await storage.stat(`${root}/hint`);
      await storage.replaceIf(`${root}/hint`, version!, bytes('2'));
      const late = storage.replaceIf(`${root}/hint`, version!, bytes('3'));
      await expect(late).rejects.toMatchObject({ kind: 'failed', code: 'storage/changed' });
      const gone = storage.replaceIf(`${root}/none`, version!, bytes('3'));
      await expect(gone).rejects.toMatchObject({ code: 'storage/changed' });
      expect(text(await storage.read(`${root}/hint`))).toBe('2');
    });

    test('refuses a location in another kind of storage', () => {
      const elsewhere = /^s3:/.test(at.root) ? '/lake/t' : 's3://lake/t';
      expect(() => at.storage.normalize(elsewhere)).toThrow(
        expect.objectContaining({ kind: 'refused', code: 'storage/scheme' }),
      );
    });
  });
}
