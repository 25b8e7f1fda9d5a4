import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type NewEntry, openRegister } from '../../src/register/index.ts';

const KEY = 'a register key of the tests, 32 b';
const OTHER = 'another key of the tests of 32 byt';

let dir: string;
let path: string;
const dirs: string[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-register-'));
  dirs.push(dir);
  path = join(dir, 'register.ndjson');
});

afterAll(async () => {
  for (const each of dirs) await rm(each, { recursive: true, force: true });
});

const open = (keys: Record<string, string> = { 2026: KEY }, current = '2026') =>
  openRegister({ path, keys, current });

function entry(given: Partial<NewEntry> = {}): NewEntry {
  return {
    request: 'erasure-0001',
    subject: 'learner',
    id: ['3590'],
    state: 'open',
    day: '2026-10-01',
    ...given,
  };
}

// Each vector by an independent tool:
//   printf 'lethe/register/1\0learner\0003590' | openssl dgst -sha256 -hmac 'a register key of the tests, 32 b'
// (\000 ends before 3590), and the same with Python's hmac.new(key, message, hashlib.sha256).hexdigest().
test.each([
  ['learner', ['3590'], '9dfda2c56cecec73922271f42de3563b78ecda4fe60e5634ac35714605a4f063'],
  ['instructor', ['3590'], '0ce3f9aa924e3e690eae2561a1c6a81c1467a7946d90d7fa80cae5057d0b4f79'],
  ['learner', ['zoë@x'], '9b1c400c24a117e62c3005cc5d8325efd5aebd207723f9828c07640a3e3798c4'],
  // lethe/register/1 NUL learner NUL NUL 5:north,4:3590,
  ['learner', ['north', '3590'], '13cadcb066e08bcbeea018b8b4fc7426afe90ed69636ac96c3143eb892a584e3'],
])('G1: the hash of a %s %j is the fixed one', async (subject, id, hash) => {
  const register = await open();
  expect(register.hash(subject, id)).toEqual({ subject, keyId: '2026', hash });
});

test('G1: a key is text, hex or base64 of the same bytes', async () => {
  const bytes = Uint8Array.from({ length: 32 }, (_, index) => index);
  // Python: hmac.new(bytes(range(32)), b'lethe/register/1\0learner\x005', hashlib.sha256).hexdigest()
  const hash = 'fbd38ec767998325112ea5247207ba77afd5b26abd9b7f961d9a15688c889abc';
  for (const key of [
    `hex:${Buffer.from(bytes).toString('hex')}`,
    `base64:${Buffer.from(bytes).toString('base64')}`,
    bytes,
  ]) {
    const register = await openRegister({ path, keys: { k: key }, current: 'k' });
    expect(register.hash('learner', ['5']).hash).toBe(hash);
  }
});

test.each([
  ['too short', 'a short key'],
  ['hex of too few bytes', `hex:${'ab'.repeat(31)}`],
  ['broken hex, which Buffer would cut off without a word', `hex:${'ab'.repeat(40)}zz`],
  ['broken base64', 'base64:!!!!AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
])('G1: a key that is %s is an error that does not show it', async (_, key) => {
  const error = await open({ k: key }, 'k').catch((thrown) => thrown);
  expect(error.code).toBe('register/key');
  expect(JSON.stringify([error.message, error.data])).not.toContain(key.slice(4));
});

test('G1: lines are appended, the file is private, and it holds no id', async () => {
  const register = await open();
  await register.add([entry()]);
  await register.add([entry({ state: 'closed', day: '2026-10-02' })]);
  await register.add([entry({ state: 'closed', day: '2026-10-03' })]);
  const lines = (await readFile(path, 'utf8')).split('\n');
  expect(lines).toHaveLength(4);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(lines.join('')).not.toContain('3590"');
  expect(await (await open()).entries()).toEqual([
    { request: 'erasure-0001', ...register.hash('learner', ['3590']), state: 'open', day: '2026-10-01' },
    { request: 'erasure-0001', ...register.hash('learner', ['3590']), state: 'closed', day: '2026-10-02' },
  ]);
});

test('G1: a wrong key is an error and never looks clean', async () => {
  await (await open()).add([entry()]);
  await expect(open({ 2026: OTHER })).rejects.toMatchObject({ code: 'register/wrong-key' });
  await expect(open({ 2027: OTHER }, '2027')).rejects.toMatchObject({ code: 'register/missing-key' });
  const lines = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, lines.filter((line) => !line.includes('"check"')).join('\n'));
  await expect(open({ 2026: OTHER })).rejects.toMatchObject({ code: 'register/no-check' });
});

test('G1: several keys live at once; old entries are found, and closed under their own key', async () => {
  await (await open()).add([entry()]);
  const register = await open({ 2026: KEY, 2027: OTHER }, '2027');
  await register.add([entry({ state: 'closed' }), entry({ request: 'erasure-0002', id: ['4998'] })]);
  expect((await register.entries()).map(({ request, keyId, state }) => [request, keyId, state])).toEqual([
    ['erasure-0001', '2026', 'open'],
    ['erasure-0001', '2026', 'closed'],
    ['erasure-0002', '2027', 'open'],
  ]);
  const erased = await register.erased();
  expect(erased.requestsOf('learner', ['3590'])).toEqual(['erasure-0001']);
  expect(erased.requestsOf('learner', ['4998'])).toEqual(['erasure-0002']);
  expect(erased.requestsOf('instructor', ['3590'])).toEqual([]);
});

test.each([
  ['was emptied', ''],
  ['lost its first entry before its end was written', '{"kind":"key","keyId":"k","ch'],
])('a register that must be there, and %s, is an error: it would find nobody', async (_, text) => {
  await writeFile(path, text);
  await expect(openRegister({ path, keys: { k: KEY }, current: 'k', mustExist: true })).rejects.toMatchObject(
    { code: 'register/not-found' },
  );
});

test('a register that must be there, and is not, is an error', async () => {
  await expect(openRegister({ path, keys: { k: KEY }, current: 'k', mustExist: true })).rejects.toMatchObject(
    { code: 'register/not-found' },
  );
  await expect(openRegister({ path, keys: {}, current: 'k' })).rejects.toMatchObject({
    code: 'register/no-current-key',
  });
});

test('G4: a last line torn at any byte is repaired, and nothing else is lost', async () => {
  const register = await open();
  await register.add([entry()]);
  const whole = (await stat(path)).size;
  await register.add([entry({ request: 'erasure-0002', id: ['4998'] })]);
  const all = await readFile(path);
  for (let size = whole + 1; size < all.length; size += 1) {
    await writeFile(path, all);
    await truncate(path, size);
    const reopened = await open();
    // Only its end is missing: the entry itself was written whole, and stays.
    const kept = size === all.length - 1 ? 2 : 1;
    expect(await reopened.entries()).toHaveLength(kept);
    await reopened.add([entry({ request: 'erasure-0003', id: ['7'] })]);
    expect(await (await open()).entries()).toHaveLength(kept + 1);
  }
});

test('G4: a broken line in the middle is refused with its file and line', async () => {
  const register = await open();
  await register.add([entry()]);
  await appendFile(path, '{"kind":"event","req\n');
  await appendFile(path, `${(await readFile(path, 'utf8')).split('\n')[1]}\n`);
  const error = await open().catch((thrown) => thrown);
  expect(error).toMatchObject({
    code: 'register/broken-line',
    kind: 'refused',
    data: { file: path, line: 3 },
  });
  expect(error.message).toContain(`${path}:3`);
});

test('G4: a state that this version does not know is refused: it may be a hold', async () => {
  await (await open()).add([entry()]);
  const event = (await readFile(path, 'utf8')).split('\n')[1]!;
  await appendFile(path, `${event.replace('"open"', '"hold"')}\n`);
  await expect(open()).rejects.toMatchObject({ code: 'register/broken-line' });
});

test('G4: processes that append at once lose nothing and never tear a line', async () => {
  const run = promisify(execFile);
  const script = fileURLToPath(new URL('./add-many.ts', import.meta.url));
  const names = ['a', 'b', 'c'];
  await Promise.all(
    names.map((name) => run(process.execPath, ['--import', 'tsx', script, path, KEY, name, '25'])),
  );
  const requests = (await (await open({ k: KEY }, 'k')).entries()).map((each) => each.request);
  expect(requests.sort()).toEqual(
    names.flatMap((name) => Array.from({ length: 25 }, (_, index) => `${name}-${index}`)).sort(),
  );
});

test.each([
  ['a lock whose process is gone', ['.lock']],
  ['a lock that its next owner, gone too, was about to take over', ['.lock', '.lock.removing']],
  ['the same once more', ['.lock', '.lock.removing', '.lock.removing.removing']],
])('E4: %s is taken over, by one of two at once', async (_, left) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '-e',
    'process.stdout.write(JSON.stringify({ host: require("os").hostname(), pid: process.pid, started: null }))',
  ]);
  for (const name of left) await writeFile(`${path}${name}`, stdout);
  const [one, other] = [await open(), await open()];
  await Promise.all([one.add([entry()]), other.add([entry({ request: 'erasure-0002' })])]);
  expect(await one.entries()).toHaveLength(2);
  expect((await readdir(dirname(path))).filter((name) => name.includes('.lock'))).toEqual([]);
});
