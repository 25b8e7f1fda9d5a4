import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { runRebuild } from '../../src/cli/rebuild.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lethe-rebuild-'));
});

const rebuild = (script: string, ...args: string[]): Promise<void> =>
  runRebuild({
    job: { name: 'platform.course performance', run: [process.execPath, '-e', script, ...args] },
    cwd: folder,
    env: { PATH: process.env.PATH, MARK: 'seen' },
    state: join(folder, '.lethe'),
  });

const logs = (): Promise<string[]> => readdir(join(folder, '.lethe', 'jobs'));

describe('runRebuild', () => {
  test('starts in the folder, with the environment, and leaves no output behind', async () => {
    const script = `
      console.log('somebody@example.org');
      require('node:fs').writeFileSync('made.txt', process.env.MARK);`;
    await rebuild(script);
    expect(await readFile(join(folder, 'made.txt'), 'utf8')).toBe('seen');
    expect(await logs()).toEqual([]);
  });

  test('gives its arguments to no shell', async () => {
    const hostile = '$(touch hacked); touch hacked; "`touch hacked`" %PATH% \'';
    await rebuild(`require('node:fs').writeFileSync('args.txt', process.argv[1])`, hostile);
    expect(await readFile(join(folder, 'args.txt'), 'utf8')).toBe(hostile);
    expect(await readdir(folder)).not.toContain('hacked');
  });

  test('fails with the exit code, and keeps what was printed in a private file only', async () => {
    const failed = rebuild(`console.error('somebody@example.org'); process.exit(7)`);
    await expect(failed).rejects.toMatchObject({ code: 'cli/rebuild-failed', kind: 'failed' });
    await expect(failed).rejects.toThrow(/ended with exit code 7.*run the same command again/s);
    await expect(failed).rejects.not.toThrow(/somebody/);
    const [log] = await logs();
    const path = join(folder, '.lethe', 'jobs', log!);
    expect(await readFile(path, 'utf8')).toContain('somebody@example.org');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, '.lethe', 'jobs'))).mode & 0o777).toBe(0o700);
    await rebuild('');
    expect(await logs()).toEqual([]);
  });

  test('says that a program could not be started', async () => {
    const missing = runRebuild({
      job: { name: 'j', run: ['no-such-program-anywhere'] },
      cwd: folder,
      env: {},
      state: folder,
    });
    await expect(missing).rejects.toThrow(/could not be started \(ENOENT\)/);
  });
});
