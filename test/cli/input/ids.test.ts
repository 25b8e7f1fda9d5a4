import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readIds } from '../../../src/cli/input/ids.ts';
import { world } from '../world.ts';

const ids = (options: Parameters<typeof world>[0], args: readonly string[] = [], file?: string) =>
  readIds(world(options).io, { args, file });

describe('readIds', () => {
  test('takes arguments first', async () => {
    expect(await ids({ stdin: '7\n' }, ['3590', '4998', '3590'])).toEqual([['3590'], ['4998']]);
  });

  test('takes lines of standard input: blank ones, line ends of Windows and a byte-order mark are no ids', async () => {
    expect(await ids({ stdin: '\ufeff3590\r\n\r\n4998\r\nünï\n' })).toEqual([['3590'], ['4998'], ['ünï']]);
  });

  test('G1: takes an id exactly as written: blanks around it make another one of a text', async () => {
    expect(await ids({}, ['a ', ' a', 'a'])).toEqual([['a '], [' a'], ['a']]);
    expect(await ids({ stdin: 'a \n' })).toEqual([['a ']]);
  });

  test('takes the lines of a file, and the parts of a composite id between tabs', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'lethe-ids-'));
    await writeFile(join(cwd, 'ids.txt'), 'de\t5\nfr\t5\n');
    expect(await ids({ cwd }, [], 'ids.txt')).toEqual([
      ['de', '5'],
      ['fr', '5'],
    ]);
  });

  test.each([
    ['no id at all', {}, [], undefined, 'cli/no-ids'],
    ['an empty input', { stdin: '\n' }, [], undefined, 'cli/no-ids'],
    ['two ways at once', {}, ['1'], 'ids.txt', 'cli/ids-twice'],
    ['a file that is not there', {}, [], 'no-such-file', 'cli/unreadable-file'],
  ])('refuses %s', async (_, options, args, file, code) => {
    await expect(ids(options, args, file)).rejects.toMatchObject({ code, kind: 'input' });
  });

  test('never waits for a person at a terminal', async () => {
    await expect(ids({})).rejects.toMatchObject({ code: 'cli/no-ids' });
  });
});
