import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogAccess } from '../../../src/cli/access/catalog.ts';
import { readConfig } from '../../../src/cli/config/read.ts';
import type { CatalogSetting } from '../../../src/warehouse/index.ts';

async function written(catalog: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lethe-config-'));
  const file = join(folder, 'lethe.toml');
  await writeFile(file, `[warehouse]\ncatalog = { ${catalog} }\n`);
  return file;
}

async function access(
  catalog: string,
  env: Record<string, string> = {},
): Promise<CatalogSetting & { at: string }> {
  const file = await written(catalog);
  const config = await readConfig(file);
  return { ...catalogAccess(config, config.warehouse!, env), at: config.folder };
}

describe('a catalog in lethe.toml', () => {
  test('in SQLite lies beside the file', async () => {
    const setting = await access(
      'kind = "sql", url = "sqlite:lake/catalog.db", name = "jd", warehouse = "wh"',
    );
    const { at } = setting;
    expect(setting).toEqual({
      at,
      kind: 'sql',
      url: `sqlite:${at}/lake/catalog.db`,
      name: 'jd',
      warehouse: `${at}/wh`,
      locations: [],
    });
  });

  test('in Postgres takes its address and its password from the environment', async () => {
    expect(
      await access('kind = "sql", url_env = "DB", warehouse = "s3://lake/wh", locations = ["/old"]', {
        DB: 'postgresql://u:p@h/d',
      }),
    ).toMatchObject({ url: 'postgresql://u:p@h/d', warehouse: 's3://lake/wh', locations: ['/old'] });
    expect(
      await access('kind = "sql", url = "postgresql://u@h/d", password_env = "PW"', { PW: 'p' }),
    ).toMatchObject({ url: 'postgresql://u@h/d', password: 'p' });
  });

  test('behind REST takes a token or client credentials', async () => {
    expect(
      await access('kind = "rest", uri = "https://c", warehouse = "lake", token_env = "T"', { T: 'abc' }),
    ).toMatchObject({ kind: 'rest', uri: 'https://c', warehouse: 'lake', token: 'abc' });
    expect(
      await access(
        'kind = "rest", uri = "https://c", prefix = "p", client_id_env = "I", client_secret_env = "S", scope = "s", token_url = "https://t"',
        { I: 'me', S: 'hush' },
      ),
    ).toMatchObject({
      prefix: 'p',
      oauth: { clientId: 'me', clientSecret: 'hush', scope: 's', tokenUrl: 'https://t' },
    });
  });

  test('behind REST may have its requests signed', async () => {
    expect(
      await access(
        'kind = "rest", uri = "https://c", sigv4 = { region = "eu-west-1", service = "glue" }',
        {},
      ),
    ).toMatchObject({ kind: 'rest', sigv4: { region: 'eu-west-1', service: 'glue' } });
  });

  test('names the variable that is missing', async () => {
    await expect(
      access('kind = "rest", uri = "https://c", token_env = "T"', { T: '' }),
    ).rejects.toMatchObject({
      kind: 'input',
      code: 'cli/no-secret',
      data: { missing: ['T'] },
    });
  });

  test.each([
    ['kind = "hive", path = 7', /catalog\.kind: kind is one of directory, sql and rest/],
    ['kind = "sql"', /exactly one of url and url_env/],
    ['kind = "sql", url = "sqlite:c", url_env = "U"', /exactly one of url and url_env/],
    ['kind = "sql", url = "sqlite:c", pathh = "p"', /pathh: unknown key/],
    ['kind = "rest"', /uri: missing/],
    ['kind = "rest", uri = "https://c", client_id_env = "I"', /belong together/],
    [
      'kind = "rest", uri = "https://c", token_env = "T", client_id_env = "I", client_secret_env = "S"',
      /takes one of/,
    ],
    [
      'kind = "rest", uri = "https://c", token_env = "T", sigv4 = { region = "r", service = "glue" }',
      /takes one of/,
    ],
    ['kind = "rest", uri = "https://c", sigv4 = { region = "r" }', /service: missing/],
  ])('{ %s } is refused with its place', async (catalog, message) => {
    const fault = await readConfig(await written(catalog)).catch((error: unknown) => error);
    expect(fault).toMatchObject({ kind: 'input', code: 'cli/config' });
    expect((fault as Error).message).toMatch(message);
    expect((fault as Error).message).toContain('lethe.toml:2:');
  });

  test.each([
    'kind = "sql", url = "postgresql://u:hunter2@h/d"',
    'kind = "sql", url = "postgresql+psycopg2://u:hunter2@h/d", unknown = 1',
    'kind = "sql", url = "jdbc:postgresql://h/d?user=u&password=hunter2"',
    'kind = "sql", url = "postgresql://h/d", password = "hunter2"',
    'kind = "rest", uri = "https://u:hunter2@c"',
    'kind = "rest", uri = "https://c?token=hunter2"',
    'kind = "rest", uri = "https://c", token = "hunter2"',
    'kind = "rest", uri = "https://c", client_secret = "hunter2"',
    'kind = "rest", uri = "https://c", credential = "me:hunter2"',
  ])('a secret in the file is refused and not shown: %s', async (catalog) => {
    const fault = await readConfig(await written(catalog)).catch((error: unknown) => error);
    expect(fault).toMatchObject({ kind: 'input', code: 'cli/secret-in-config' });
    const { message, remedy } = fault as Error & { remedy: string };
    expect(message).not.toContain('hunter2');
    expect(JSON.stringify(fault)).not.toContain('hunter2');
    expect(remedy).toMatch(/_env/);
  });
});
