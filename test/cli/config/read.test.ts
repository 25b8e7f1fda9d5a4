import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { registerAccess } from '../../../src/cli/access/register.ts';
import { storageAccess } from '../../../src/cli/access/storage.ts';
import { findConfig } from '../../../src/cli/config/find.ts';
import { readConfig } from '../../../src/cli/config/read.ts';

async function written(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lethe-config-'));
  await writeFile(join(folder, 'lethe.toml'), text);
  return join(folder, 'lethe.toml');
}

const whole = `
governance = "rules"
lineage = ["lineage", "more/*.ndjson"]
[warehouse]
format = "iceberg"
engine = "embedded"
catalog = { kind = "directory", path = "warehouse" }
[register]
path = "register.ndjson"
key_env = "LETHE_REGISTER_KEY"
[job]
state = "private"
[evidence]
path = "proof"
[jobs."platform.course_performance"]
makes = ["analytics.course_performance"]
replaces = "all"
run = ["node", "pipelines/course_performance.js"]
`;

describe('readConfig', () => {
  test.each([
    ['a state', 'state = "private"', 'state = "warehouse/.lethe"'],
    ['evidence', 'path = "proof"', 'path = "warehouse/crm/learners/evidence"'],
    ['a register', '"register.ndjson"', '"other/../warehouse/register.ndjson"'],
    ['all of it', 'path = "warehouse"', 'path = "."'],
    ['all of it by a URI', 'path = "warehouse"', 'path = "file:///"'],
  ])('refuses %s among the tables, where a sweep or a scan would meet it', async (_, right, wrong) => {
    const file = await written(whole.replace(right, wrong));
    await expect(readConfig(file)).rejects.toMatchObject({ code: 'erasure/among-tables', kind: 'input' });
  });

  test('takes a folder beside the warehouse whose name begins like it', async () => {
    const file = await written(whole.replace('state = "private"', 'state = "warehouse-state"'));
    expect((await readConfig(file)).state).toBe(join(file, '..', 'warehouse-state'));
  });

  test('reads every section; paths start from the file', async () => {
    const file = await written(whole);
    const folder = join(file, '..');
    expect(await readConfig(file)).toEqual({
      file,
      folder,
      governance: join(folder, 'rules'),
      lineage: [join(folder, 'lineage'), join(folder, 'more/*.ndjson')],
      warehouse: {
        format: 'iceberg',
        engine: 'embedded',
        catalog: { kind: 'directory', path: join(folder, 'warehouse'), takeOver: false },
        storage: null,
        mounts: {},
        tables: {},
      },
      register: {
        path: join(folder, 'register.ndjson'),
        keys: new Map([['1', 'LETHE_REGISTER_KEY']]),
        current: '1',
      },
      state: join(folder, 'private'),
      evidence: join(folder, 'proof'),
      jobs: [
        {
          name: 'platform.course_performance',
          makes: ['analytics.course_performance'],
          replacesAll: true,
          run: ['node', 'pipelines/course_performance.js'],
        },
      ],
    });
  });

  test('needs nothing: without a warehouse the files and events are still read', async () => {
    expect(await readConfig(await written(''))).toMatchObject({ warehouse: null, register: null, jobs: [] });
  });

  test('reads where files are, and takes the keys out of the environment', async () => {
    const file = await written(`
[warehouse]
catalog = { kind = "directory", path = "s3://lake/wh" }
mounts = { "s3://lake/old/" = "restored/old" }
[warehouse.storage]
kind = "s3"
region = "eu-central-1"
endpoint = "https://s3.example"
path_style = true
access_key_env = "KEY"
secret_key_env = "SECRET"
temporary = "tmp"
[warehouse.tables]
"crm.archive" = "s3://lake/old/learners"
"crm.copy" = "copies/learners"
`);
    const folder = join(file, '..');
    const { warehouse } = await readConfig(file);
    expect(warehouse).toMatchObject({
      mounts: { 's3://lake/old/': `${join(folder, 'restored/old')}/` },
      tables: { 'crm.archive': 's3://lake/old/learners', 'crm.copy': join(folder, 'copies/learners') },
    });
    expect(storageAccess(warehouse!, { KEY: 'id', SECRET: 'key' })).toEqual({
      region: 'eu-central-1',
      endpoint: 'https://s3.example',
      pathStyle: true,
      credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
      temporary: join(folder, 'tmp'),
    });
    expect(() => storageAccess(warehouse!, { KEY: 'id' })).toThrow(/has no SECRET/);
  });

  test.each([
    ['kind = "gcs"', /lethe\.toml:4:\d+ warehouse\.storage\.kind: /],
    ['kind = "s3"\nregio = "x"', /lethe\.toml:5:1 warehouse\.storage\.regio: unknown key.*region/],
    ['kind = "s3"\nendpoint = "s3.example"', /lethe\.toml:5:\d+ warehouse\.storage\.endpoint: .*http/],
    ['kind = "s3"\naccess_key_env = "A"', /warehouse\.storage: .*belong together/],
  ])('points at what is wrong with the storage: %s', async (section, message) => {
    const file = await written(
      `[warehouse]\ncatalog = { kind = "directory", path = "wh" }\n[warehouse.storage]\n${section}\n`,
    );
    await expect(readConfig(file)).rejects.toThrow(message);
  });

  test.each(['secret_access_key', 'access_key_id', 's3.secret-access-key', 'session_token', 'secret_key'])(
    'refuses a file that holds the key of S3 as %s, without showing it',
    async (key) => {
      const file = await written(
        `[warehouse]\ncatalog = { kind = "directory", path = "wh" }\nstorage = { kind = "s3", "${key}" = "sh0wn" }\n`,
      );
      const error = (await readConfig(file).catch((fault: unknown) => fault)) as Error;
      expect(error).toMatchObject({ code: 'cli/secret-in-config' });
      expect(error.message).toContain('access_key_env');
      expect(error.message).not.toContain('sh0wn');
    },
  );

  test.each([
    'catalog = { kind = "directory", path = "wh", "s3.secret-access-key" = "sh0wn" }',
    'catalog = { kind = "directory", path = "wh", pwd = "sh0wn" }',
    'catalog = { kind = "directory", path = "wh" }\nbearer = "sh0wn"',
    'catalog = { kind = "directory", path = "wh" }\nheaders = { Authorization = "Bearer sh0wn" }',
    'catalog = { kind = "directory", path = "wh" }\nauthorization = Bearer sh0wn',
  ])('points at a line that it cannot read without showing its values: %s', async (line) => {
    const file = await written(`[warehouse]\n${line}\n`);
    const error = (await readConfig(file).catch((fault: unknown) => fault)) as Error;
    expect(error).toMatchObject({ kind: 'input' });
    expect(error.message).toMatch(/lethe\.toml/);
    expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('sh0wn');
  });

  test('names several register keys and the current one', async () => {
    const file = await written(
      '[register]\npath = "r"\ncurrent = "2026"\nkeys = { 2025 = "OLD", 2026 = "NEW" }\n',
    );
    const config = await readConfig(file);
    expect(config.register).toMatchObject({
      current: '2026',
      keys: new Map([
        ['2025', 'OLD'],
        ['2026', 'NEW'],
      ]),
    });
    expect(registerAccess(config, { OLD: 'a', NEW: 'b' })).toMatchObject({ keys: { 2025: 'a', 2026: 'b' } });
    expect(() => registerAccess(config, { OLD: 'a' })).toThrow(/has no NEW/);
  });

  test('reports all faults at once, each with its place, what is allowed and what was probably meant', async () => {
    const file = await written(
      [
        'goverance = "rules"',
        '[warehouse]',
        'catalog = { kind = "directory", path = 7 }',
        '[jobs.j]',
        'run = []',
      ].join('\n'),
    );
    const error = await readConfig(file).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ code: 'cli/config', kind: 'input' });
    const { message } = error as Error;
    expect(message).toMatch(/lethe\.toml:1:1 goverance: unknown key.*did you mean governance\?/);
    expect(message).toContain('1 | goverance = "*****"');
    expect(message).toMatch(/lethe\.toml:3:40 warehouse\.catalog\.path: expected text, found 7/);
    expect(message).toMatch(/lethe\.toml:4:7 jobs\.j\.makes: missing/);
    expect(message).toMatch(/lethe\.toml:5:7 jobs\.j\.run: the list is empty/);
  });

  test('says where a file is no TOML', async () => {
    await expect(readConfig(await written('a = \n'))).rejects.toThrow(/lethe\.toml:1:/);
  });

  test.each([
    ['neither key_env nor keys', 'path = "r"'],
    ['both', 'path = "r"\nkey_env = "A"\ncurrent = "1"\nkeys = { 1 = "A" }'],
    ['a current key that is not there', 'path = "r"\ncurrent = "3"\nkeys = { 1 = "A" }'],
  ])('refuses a register with %s', async (_, section) => {
    await expect(readConfig(await written(`[register]\n${section}\n`))).rejects.toMatchObject({
      code: 'cli/config',
    });
  });
});

describe('findConfig', () => {
  test('goes upwards from the working directory', async () => {
    const file = await written('');
    const below = join(file, '..', 'a', 'b');
    await mkdir(below, { recursive: true });
    expect(findConfig(below, undefined)).toBe(file);
    expect(findConfig(below, '../../lethe.toml')).toBe(file);
  });

  test('says so where there is none', () => {
    expect(() => findConfig('/', undefined)).toThrow(/No lethe.toml was found/);
    expect(() => findConfig('/', 'no.toml')).toThrow(/There is no file/);
  });
});
