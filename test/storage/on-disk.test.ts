import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StateFolder } from '../../src/erasure/job/state-folder.ts';
import { FailedError } from '../../src/errors.ts';
import { appendLog } from '../../src/storage/log/append-log.ts';
import { onDisk } from '../../src/storage/log/on-disk.ts';

const LOCKED = { locked: 'register/locked' };

test('what the file system says about a register or a private folder is a typed error that names the place', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lethe-disk-'));
  try {
    const file = join(dir, 'file');
    await writeFile(file, '');
    const inFile = join(file, 'register.ndjson');
    for (const [use, path] of [
      [() => appendLog(inFile, LOCKED).add(() => ['{}']), `${inFile}.lock`],
      [() => appendLog(join(file, 'log'), LOCKED).read(), join(file, 'log')],
      [() => new StateFolder(join(file, 'state')).exclusively(async () => {}), join(file, 'state')],
    ] as const) {
      const error = await (use() as Promise<unknown>).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(FailedError);
      expect(error).toMatchObject({
        code: 'disk/failed',
        data: { path, error: expect.stringMatching(/^E[A-Z]+$/) },
      });
    }
  } finally {
    await rm(dir, { recursive: true });
  }
});

test.each(['pipe', 'folder', 'device'])(
  'a log that is a %s is told, and nobody waits for it',
  async (kind) => {
    const dir = await mkdtemp(join(tmpdir(), 'lethe-disk-'));
    try {
      const path = join(dir, 'register.ndjson');
      if (kind === 'pipe') execFileSync('mkfifo', [path]);
      else if (kind === 'folder') await mkdir(path);
      else await symlink('/dev/zero', path);
      const told = {
        code: 'disk/failed',
        data: { path, error: expect.stringMatching(/^(no file|EISDIR)$/) },
      };
      await expect(appendLog(path, LOCKED).read()).rejects.toMatchObject(told);
      await expect(appendLog(path, LOCKED).add(() => ['{}'])).rejects.toMatchObject(told);
    } finally {
      await rm(dir, { recursive: true });
    }
  },
);

test('who adds to a log holds a lock beside it, unless a lock is held around it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lethe-disk-'));
  try {
    const path = join(dir, 'log');
    const besides = async (locked: string | null): Promise<readonly string[]> => {
      let seen: readonly string[] = [];
      await appendLog(path, { locked }).add((there) => {
        seen = readdirSync(dir);
        return [`${there.length}`];
      });
      return seen;
    };
    expect(await besides('register/locked')).toEqual(['log', 'log.lock']);
    expect(await besides(null)).toEqual(['log']);
    expect(await readFile(path, 'utf8')).toBe('0\n1\n');
    expect(await readdir(dir)).toEqual(['log']);
  } finally {
    await rm(dir, { recursive: true });
  }
});

test('what is no error of the file system stays what it is', async () => {
  const error = new TypeError('a fault of the program');
  await expect(onDisk('/x', () => Promise.reject(error))).rejects.toBe(error);
});
