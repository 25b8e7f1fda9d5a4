import { execFileSync } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localStorage, mountedStorage } from '../../src/storage/index.ts';
import { storageContract } from '../contracts/storage.ts';

storageContract('localStorage', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'lethe-storage-')));
  return {
    storage: localStorage({ roots: [root] }),
    root,
    spelled: `file://${root}//a/./c/../b`,
    close: () => rm(root, { recursive: true, force: true }),
  };
});

let outer: string;
let root: string;
beforeAll(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'lethe-storage-')));
  root = join(outer, 'warehouse');
  await mkdir(join(root, 'inside'), { recursive: true });
  await mkdir(join(outer, 'warehouse-other'));
  await writeFile(join(outer, 'secret'), 'not for the warehouse');
  await writeFile(join(outer, 'warehouse-other', 'secret'), 'neither is this');
});
afterAll(() => rm(outer, { recursive: true, force: true }));

test.each([
  ['file:/lake/t', '/lake/t'],
  ['file:///lake/t', '/lake/t'],
  ['FILE://localhost/lake/t/', '/lake/t'],
  ['/lake//t/../t/./a', '/lake/t/a'],
  ['file:///lake/d=a%20b', '/lake/d=a%20b'],
])('%s is %s', (location, normal) => {
  expect(localStorage().normalize(location)).toBe(normal);
});

test('an absolute path has the form that the system gives it', () => {
  const part = fc.constantFrom(
    '',
    '.',
    '..',
    '...',
    '.a',
    'a.',
    'a',
    'a:b',
    ' ',
    '\n',
    'd=%20',
    '.metadata.json',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const path = `/${parts.join('/')}`;
      expect(localStorage().normalize(path)).toBe(resolve(path));
    }),
    { seed: 7 },
  );
});

test.each([
  ['s3://bucket/key', 'refused', 'storage/scheme'],
  ['hdfs://host:8020/lake', 'refused', 'storage/scheme'],
  ['relative/path', 'input', 'storage/relative'],
  ['file:relative', 'input', 'storage/relative'],
  ['/a\0b', 'input', 'storage/relative'],
])('%j is no file of this machine', (location, kind, code) => {
  expect(() => localStorage().normalize(location)).toThrow(expect.objectContaining({ kind, code }));
});

test('nothing outside the roots is reached by name', async () => {
  const storage = localStorage({ roots: [root] });
  const outside = { kind: 'refused', code: 'storage/outside' };
  await expect(storage.read(`${root}/../secret`)).rejects.toMatchObject(outside);
  await expect(storage.read(join(outer, 'warehouse-other', 'secret'))).rejects.toMatchObject(outside);
  await expect(storage.writeIfAbsent(join(outer, 'new'), new Uint8Array())).rejects.toMatchObject(outside);
  await expect(storage.remove(join(outer, 'secret'))).rejects.toMatchObject(outside);
  await expect(storage.withLocalFile('/etc/hostname', async () => 1)).rejects.toMatchObject(outside);
});

test('nothing outside the roots is reached by a link', async () => {
  const storage = localStorage({ roots: [root] });
  const outside = { kind: 'refused', code: 'storage/outside' };
  await symlink(outer, join(root, 'inside', 'out'));
  try {
    await expect(storage.read(join(root, 'inside/out/secret'))).rejects.toMatchObject(outside);
    await expect(storage.remove(join(root, 'inside/out/secret'))).rejects.toMatchObject(outside);
    const list = async (): Promise<void> => {
      for await (const _ of storage.list(root));
    };
    await expect(list()).rejects.toMatchObject(outside);
    const folders = async (): Promise<void> => {
      for await (const _ of storage.foldersWith!(root, () => true)!);
    };
    await expect(folders()).rejects.toMatchObject(outside);
  } finally {
    await rm(join(root, 'inside', 'out'));
  }
});

test('a folder that becomes a link between two accesses is no way out', async () => {
  const storage = localStorage({ roots: [root] });
  const [folder, aside] = [join(root, 'turned'), join(root, 'aside')];
  await mkdir(folder);
  await writeFile(join(folder, 'secret'), 'of the warehouse');
  expect(await storage.stat(join(folder, 'secret'))).toMatchObject({ size: 16 });
  expect(Buffer.from(await storage.read(join(folder, 'secret'))).toString()).toBe('of the warehouse');
  await rename(folder, aside);
  await symlink(outer, folder);
  try {
    const outside = { kind: 'refused', code: 'storage/outside' };
    await expect(storage.stat(join(folder, 'secret'))).rejects.toMatchObject(outside);
    await expect(storage.read(join(folder, 'secret'))).rejects.toMatchObject(outside);
    await expect(storage.replace(join(folder, 'secret'), new Uint8Array())).rejects.toMatchObject(outside);
    await expect(storage.writeIfAbsent(join(folder, 'new'), new Uint8Array())).rejects.toMatchObject(outside);
    await expect(storage.remove(join(folder, 'secret'))).rejects.toMatchObject(outside);
  } finally {
    await rm(folder);
    await rm(aside, { recursive: true });
  }
});

test('a folder is told by a link to a file, and not by one that leads nowhere or to a folder', async () => {
  const storage = localStorage({ roots: [root] });
  const links = join(root, 'links');
  for (const name of ['file', 'nothing', 'folder']) await mkdir(join(links, name), { recursive: true });
  try {
    await writeFile(join(links, 'target'), '');
    await symlink(join(links, 'target'), join(links, 'file', 'x'));
    await symlink(join(links, 'gone'), join(links, 'nothing', 'x'));
    await symlink(links, join(links, 'folder', 'x'));
    const found: string[] = [];
    for await (const folder of storage.foldersWith!(links, (name) => name === 'x')!) found.push(folder);
    expect(found).toEqual([join(links, 'file')]);
  } finally {
    await rm(links, { recursive: true });
  }
});

test('a folder and a pipe are no files, and nobody waits for a writer of the pipe', async () => {
  const storage = localStorage({ roots: [root] });
  const pipe = join(root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  try {
    for (const location of [pipe, join(root, 'inside')]) {
      const gone = { code: 'storage/not-found', data: { location } };
      await expect(storage.stat(location)).rejects.toMatchObject(gone);
      await expect(storage.read(location)).rejects.toMatchObject(gone);
      await expect(storage.read(location, { offset: 0, length: 1 })).rejects.toMatchObject(gone);
    }
  } finally {
    await rm(pipe);
  }
});

test('a file larger than what is read at once is given back whole and in part', async () => {
  const storage = localStorage({ roots: [root] });
  const large = join(root, 'large');
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 7).map((_, at) => (at * 31) >> 3) as Buffer;
  await storage.writeIfAbsent(large, bytes);
  try {
    expect(bytes.equals(await storage.read(large))).toBe(true);
    const part = await storage.read(large, { offset: 5, length: 2_500_000 });
    expect(bytes.subarray(5, 2_500_005).equals(part)).toBe(true);
  } finally {
    await rm(large);
  }
});

test('a file of an absurd size takes no memory', async () => {
  const storage = localStorage({ roots: [root] });
  const sparse = join(root, 'sparse');
  await writeFile(sparse, '');
  await truncate(sparse, 2 ** 42);
  try {
    const tooLarge = { code: 'storage/read-failed', data: { location: sparse, error: 'EFBIG' } };
    await expect(storage.read(sparse)).rejects.toMatchObject(tooLarge);
    expect(await storage.read(sparse, { offset: 2 ** 41, length: 2 })).toEqual(new Uint8Array(2));
  } finally {
    await rm(sparse);
  }
});

test('a warehouse that is itself reached by a link works', async () => {
  await symlink(root, join(outer, 'linked'));
  const storage = localStorage({ roots: [join(outer, 'linked')] });
  await storage.writeIfAbsent(join(outer, 'linked', 'a'), new Uint8Array([1]));
  expect(await storage.read(join(outer, 'linked', 'a'))).toEqual(new Uint8Array([1]));
});

test('a mounted prefix leads to its copy, and no other prefix does', async () => {
  await writeFile(join(root, 'copy'), 'the copy');
  const storage = mountedStorage(localStorage(), { 's3://lake/wh': root, 's3://lake/wh/deep/': `${outer}/` });
  expect(storage.normalize('s3://lake/wh/copy')).toBe(join(root, 'copy'));
  expect(storage.normalize('s3://lake/wh')).toBe(root);
  expect(storage.normalize('s3://lake/wh/deep/secret')).toBe(join(outer, 'secret'));
  expect(Buffer.from(await storage.read('s3://lake/wh/copy')).toString()).toBe('the copy');
  expect(() => storage.normalize('s3://lake/wh2/copy')).toThrow(
    expect.objectContaining({ code: 'storage/scheme' }),
  );
});

test('names that are no text are told, and never passed over', async (context) => {
  const storage = localStorage({ roots: [root] });
  const data = join(root, 'letters');
  await mkdir(data);
  const at = (name: string): Buffer => Buffer.concat([Buffer.from(`${data}/`), Buffer.from(name, 'latin1')]);
  try {
    await mkdir(at('M\xfcller'));
  } catch {
    context.skip('this file system takes no names that are no UTF-8');
  }
  await writeFile(at('M\xfcller/ada.csv'), 'ada');
  await writeFile(at('\xff.csv'), 'ada');
  // A name that holds the sign itself is like any other, also beside one that only looks so.
  await writeFile(join(data, '\ufffd.csv'), 'whole');
  await writeFile(join(data, 'whole\ufffd.csv'), 'whole');
  const names = new Set<string>();
  for await (const { location, kind } of storage.namesOnly!(root))
    names.add(`${kind} ${location.slice(data.length + 1)}`);
  expect([...names].filter((name) => name.includes('\ufffd')).sort()).toEqual([
    'no-text M\ufffdller',
    'no-text \ufffd.csv',
  ]);
  const files = new Set<string>();
  for await (const { location } of storage.list(data)) files.add(location.slice(data.length + 1));
  expect([...files].sort()).toEqual(['whole\ufffd.csv', '\ufffd.csv']);
  await rm(data, { recursive: true });
});

test('names without a file are told, and only emptied folders of partitions go', async () => {
  const storage = localStorage({ roots: [root] });
  const data = join(root, 'partitioned');
  await mkdir(join(data, 'day=1', 'who=a'), { recursive: true });
  await mkdir(join(data, 'day=2', 'who=b'), { recursive: true });
  await mkdir(join(data, 'plain'));
  await writeFile(join(data, 'day=2', 'file'), '');
  await symlink(join(data, 'nowhere'), join(data, 'dangling'));
  await symlink(join(data, 'plain'), join(data, 'folder'));
  const names: (readonly [string, string])[] = [];
  for await (const { location, kind } of storage.namesOnly!(data))
    names.push([location.slice(data.length + 1), kind]);
  expect(names).toEqual([
    ['dangling', 'link'],
    ['day=1/who=a', 'empty-folder'],
    ['day=2/who=b', 'empty-folder'],
    ['folder', 'link'],
    ['plain', 'empty-folder'],
  ]);
  const removed = await storage.removeEmptyPartitions!(data);
  expect(removed.map((folder) => folder.slice(data.length + 1))).toEqual([
    'day=1/who=a',
    'day=1',
    'day=2/who=b',
  ]);
  expect((await readdir(data)).sort()).toEqual(['dangling', 'day=2', 'folder', 'plain']);
  expect(await storage.removeEmptyPartitions!(join(root, 'not-there'))).toEqual([]);
  await rm(data, { recursive: true });
});

test('a write that fails part-way leaves nothing beside its place', async () => {
  const storage = localStorage({ roots: [root] });
  const folder = join(root, 'failing');
  await expect(storage.writeIfAbsent(join(folder, 'file'), 5 as never)).rejects.toThrow();
  await expect(storage.replace(join(folder, 'file'), 5 as never)).rejects.toThrow();
  expect(await readdir(folder)).toEqual([]);
});
