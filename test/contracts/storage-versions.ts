import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileVersion, Storage } from '../../src/storage/index.ts';

/** A storage over a bucket, and what only its owner can do to that. */
export interface VersionsUnderTest {
  readonly storage: Storage;
  readonly root: string;
  setVersioning(status: 'Enabled' | 'Suspended'): Promise<void>;
  /** Writes a key as it is, slashes at its end and all. */
  putRaw(key: string, content: string): Promise<void>;
  /** Writes a file under a retention or a legal hold; null where this bucket was not made for it. */
  putLocked(location: string, lock: { readonly until?: Date; readonly hold?: boolean }): Promise<void>;
  beginUpload(location: string): Promise<void>;
  close(): Promise<void>;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const DAY = 86_400_000;

/** What every storage with old versions promises (rule E5). */
export function versionsContract(
  name: string,
  open: (options?: { readonly locks: boolean }) => Promise<VersionsUnderTest>,
  /** Why a server cannot suspend versioning as S3 does; null where it can. */
  cannotSuspend: string | null = null,
): void {
  describe(`${name}: old versions`, () => {
    let at: VersionsUnderTest;
    beforeEach(async () => {
      at = await open();
    });
    afterEach(() => at.close());

    const all = async (prefix = at.root): Promise<readonly FileVersion[]> => {
      const found: FileVersion[] = [];
      for await (const version of at.storage.versions(prefix)!.list(prefix)) found.push(version);
      return found;
    };
    const shown = async (): Promise<readonly string[]> =>
      (await all()).map(({ kind, location }) => `${kind} ${location.slice(at.root.length)}`);

    test('a bucket that never kept any has none', async () => {
      await at.storage.replace(`${at.root}/a`, bytes('1'));
      await at.storage.replace(`${at.root}/a`, bytes('2'));
      await at.storage.remove(`${at.root}/a`);
      expect(await all()).toEqual([]);
      expect(await at.storage.versions(at.root)!.locks(at.root, Date.now())).toBeNull();
    });

    test('what is replaced or removed stays, and can be read', async () => {
      const { storage, root } = at;
      await at.setVersioning('Enabled');
      await storage.writeIfAbsent(`${root}/a`, bytes('first'));
      await storage.replace(`${root}/a`, bytes('second'));
      await storage.writeIfAbsent(`${root}/b`, bytes('gone'));
      await storage.remove(`${root}/b`);
      await storage.writeIfAbsent(`${root}-beside/c`, bytes('not under it')).catch(() => {});
      expect(await shown()).toEqual(['noncurrent /a', 'delete-marker /b', 'noncurrent /b']);
      const texts = await Promise.all(
        (await all()).map((version) =>
          version.kind === 'noncurrent'
            ? storage.versions(root)!.withLocalFile(version, (path) => readFile(path, 'utf8'))
            : null,
        ),
      );
      expect(texts).toEqual(['first', null, 'gone']);
    });

    test('a file that was removed can be written again', async () => {
      const { storage, root } = at;
      await at.setVersioning('Enabled');
      await storage.writeIfAbsent(`${root}/a`, bytes('1'));
      await storage.remove(`${root}/a`);
      await storage.writeIfAbsent(`${root}/a`, bytes('2'));
      expect([...(await shown())].sort()).toEqual(['delete-marker /a', 'noncurrent /a']);
    });

    test('they are removed for good, and the current one stays', async () => {
      const { storage, root } = at;
      await at.setVersioning('Enabled');
      for (const content of ['1', '2', '3']) await storage.replace(`${root}/a`, bytes(content));
      await storage.writeIfAbsent(`${root}/b`, bytes('gone'));
      await storage.remove(`${root}/b`);
      expect(await storage.versions(root)!.remove(await all())).toEqual([]);
      expect(await all()).toEqual([]);
      expect(new TextDecoder().decode(await storage.read(`${root}/a`))).toBe('3');
      await expect(storage.stat(`${root}/b`)).rejects.toMatchObject({ code: 'storage/not-found' });
    });

    test('one that is gone already is none that is left', async () => {
      const { storage, root } = at;
      await at.setVersioning('Enabled');
      await storage.replace(`${root}/a`, bytes('1'));
      await storage.replace(`${root}/a`, bytes('2'));
      const found = await all();
      expect(await storage.versions(root)!.remove(found)).toEqual([]);
      expect(await storage.versions(root)!.remove(found)).toEqual([]);
      const [gone] = found;
      if (gone?.kind !== 'noncurrent') throw new TypeError('there was none');
      const read = storage.versions(root)!.withLocalFile(gone, async () => 1);
      await expect(read).rejects.toMatchObject({ code: 'storage/not-found' });
    });

    test('while versioning is suspended the version named null takes its own place, and older ones stay', async ({
      skip,
    }) => {
      if (cannotSuspend !== null) skip(cannotSuspend);
      const { storage, root } = at;
      await at.setVersioning('Enabled');
      await storage.replace(`${root}/a`, bytes('kept'));
      await at.setVersioning('Suspended');
      await storage.replace(`${root}/a`, bytes('null'));
      await storage.replace(`${root}/a`, bytes('null again'));
      expect(await shown()).toEqual(['noncurrent /a']);
      await storage.remove(`${root}/a`);
      expect(await shown()).toEqual(['delete-marker /a', 'noncurrent /a']);
      expect(await storage.versions(root)!.remove(await all())).toEqual([]);
      expect(await all()).toEqual([]);
    });

    test('a version from before versioning is named null', async () => {
      const { storage, root } = at;
      await storage.replace(`${root}/a`, bytes('before'));
      await at.setVersioning('Enabled');
      await storage.replace(`${root}/a`, bytes('after'));
      expect(await all()).toMatchObject([{ kind: 'noncurrent', id: 'null', size: 6 }]);
      expect(await storage.versions(root)!.remove(await all())).toEqual([]);
      expect(await all()).toEqual([]);
    });

    test('names with spaces, signs, dots, slashes and no ASCII are told apart, and removed', async () => {
      const { storage, root } = at;
      await at.setVersioning('Enabled');
      const names = [
        'a b',
        'a+b',
        'a%20b',
        'a%2Bb',
        'it\'s <"&>',
        'ö 😀',
        'x/../y',
        './z',
        'd//e',
        'q?r=1#s',
        // No XML carries it.
        'a\u0001b',
      ];
      const folder = root.replace(/^s3:\/\/[^/]+\//, '');
      for (const name of names) {
        await storage.writeIfAbsent(`${root}/${name}`, bytes(name));
        await storage.replace(`${root}/${name}`, bytes(`${name} again`));
      }
      await at.putRaw(`${folder}/folder/`, '');
      await at.putRaw(`${folder}/folder/`, '');
      const listed: string[] = [];
      for await (const { location } of storage.list(root)) {
        listed.push(location.slice(root.length + 1));
        expect(new TextDecoder().decode(await storage.read(location))).toBe(`${listed.at(-1)} again`);
      }
      expect(new Set(listed)).toEqual(new Set(names));
      const old = (await all()).map(({ location }) => location.slice(root.length + 1));
      expect(new Set(old)).toEqual(new Set([...names, 'folder/']));
      expect(await storage.versions(root)!.remove(await all())).toEqual([]);
      expect(await all()).toEqual([]);
      const marks = [];
      for await (const mark of storage.namesOnly!(root)) marks.push(mark);
      expect(marks).toEqual([{ location: `${root}/folder/`, kind: 'empty-folder' }]);
      for (const name of names) expect(await storage.remove(`${root}/${name}`)).toBe(true);
    });

    test('more of them than a page or a request takes', async () => {
      const { storage, root } = at;
      await at.setVersioning('Enabled');
      const versions = 1100;
      // Twice the same name is never written at the same time: one server loses versions by it.
      const next = Array.from({ length: versions }, (_, index) => index);
      const lane = async (): Promise<void> => {
        for (let index = next.pop(); index !== undefined; index = next.pop()) {
          await storage.replace(`${root}/${index % 550}`, bytes('x'));
          if (index >= 550) continue;
          await storage.remove(`${root}/${index}`);
        }
      };
      await Promise.all(Array.from({ length: 8 }, lane));
      const found = await all();
      expect(found).toHaveLength(versions + 550);
      expect(new Set(found.map(({ location, id }) => `${location} ${id}`)).size).toBe(versions + 550);
      const inOrder = found.map(({ location }) => location);
      expect(inOrder).toEqual([...inOrder].sort());
      expect(await storage.versions(root)!.remove(found)).toEqual([]);
      expect(await all()).toEqual([]);
    });

    test('an upload that was never finished is listed and aborted', async () => {
      const { storage, root } = at;
      await at.beginUpload(`${root}/data/big file.parquet`);
      expect(await shown()).toEqual(['upload /data/big file.parquet']);
      const found = await all();
      expect(await storage.versions(root)!.remove(found)).toEqual([]);
      expect(await storage.versions(root)!.remove(found)).toEqual([]);
      expect(await all()).toEqual([]);
    });
  });

  describe(`${name}: locks`, () => {
    let at: VersionsUnderTest;
    const now = Date.now();
    beforeEach(async () => {
      at = await open({ locks: true });
    });
    afterEach(() => at.close());

    test('a bucket that can lock and locks nothing keeps nothing', async () => {
      await at.storage.writeIfAbsent(`${at.root}/a`, bytes('x'));
      expect(await at.storage.versions(at.root)!.locks(at.root, now)).toBeNull();
    });

    test('retentions are counted with the instant at which the last ends, current versions too', async () => {
      const { storage, root } = at;
      const until = new Date(Math.floor(now / 1000) * 1000 + 3 * DAY);
      await at.putLocked(`${root}/a`, { until: new Date(until.getTime() - DAY) });
      await at.putLocked(`${root}/b`, { until });
      await storage.remove(`${root}/b`);
      expect(await storage.versions(root)!.locks(root, now)).toEqual({
        retained: 2,
        until: until.getTime(),
        held: 0,
        secondFactor: false,
      });
      expect(await storage.versions(root)!.locks(root, until.getTime())).toBeNull();
      expect(await storage.versions(root)!.locks(`${root}/elsewhere`, now)).toBeNull();
    });

    test('a legal hold has no end', async () => {
      await at.putLocked(`${at.root}/a`, { hold: true });
      expect(await at.storage.versions(at.root)!.locks(at.root, now)).toMatchObject({
        retained: 0,
        until: null,
        held: 1,
      });
    });

    test('a locked version is not removed, and is said to be left; the others go', async () => {
      const { storage, root } = at;
      await at.putLocked(`${root}/a`, { until: new Date(now + DAY) });
      await storage.replace(`${root}/a`, bytes('2'));
      await storage.replace(`${root}/b`, bytes('1'));
      await storage.replace(`${root}/b`, bytes('2'));
      const versions: FileVersion[] = [];
      for await (const version of storage.versions(root)!.list(root)) versions.push(version);
      expect(await storage.versions(root)!.remove(versions)).toMatchObject([
        { version: { location: `${root}/a` }, why: 'AccessDenied' },
      ]);
      const left: string[] = [];
      for await (const { location } of storage.versions(root)!.list(root)) left.push(location);
      expect(left).toEqual([`${root}/a`]);
    });
  });
}
