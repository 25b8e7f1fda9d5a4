import { expect, test } from 'vitest';
import { secretOf } from '../../../src/cli/access/secret-of.ts';
import { refuseSecretLines } from '../../../src/cli/config/secret-lines.ts';
import { TomlDocument } from '../../../src/governance/toml/document.ts';

const check = (text: string): void =>
  refuseSecretLines(text, new TomlDocument('lethe.toml', text), 'lethe.toml');

test.each([
  // No TOML at all, which other errors show line by line.
  '[warehouse.catalog]\ntoken = s3cret',
  'catalog = { kind = "sql", url = "postgresql://u:s3cret@h/db" ',
  'catalog = { kind = "sql", url = "postgresql://u:s3cret@h/db", name = }',
  'catalog = { kind = "sql", password = "s3cret, url = "x" }',
  'catalog.client_secret = "s3cret',
  '[register]\npath = "r"\nkey = "s3cret"',
  '[register]\nkeys = { 1 = "s3cret/s3cret" }',
  'lineage = [{ marquez = "http://127.0.0.1:1", token = "s3cret" }]',
  'lineage = [{ marquez = "http://u:s3cret@127.0.0.1:1" }]',
  'lineage = "http://127.0.0.1:1/events?token=s3cret"',
  'catalog = { kind = "rest", uri = "http://c", token_env = "s3cret.ey.token" }',
  '[register]\nkey_env = "s3cret-s3cret"',
  'storage = { kind = "s3", secret_key_env = "wJalrXUtnFEMI/s3cret" }',
])('%s is refused without being shown', (text) => {
  let fault: unknown;
  try {
    check(text);
  } catch (error) {
    fault = error;
  }
  expect(fault).toMatchObject({ kind: 'input', code: 'cli/secret-in-config' });
  expect(`${String(fault)} ${JSON.stringify(fault)}`).not.toContain('s3cret');
});

test.each([
  '# token = "an example"\ncatalog = { kind = "rest", uri = "http://127.0.0.1:8181/api", token_env = "LAKE_TOKEN" }',
  '[warehouse.tables]\n"crm.token" = "s3://lake/old/token"',
  '[register]\nkeys = { 2025 = "OLD", 2026 = "NEW" }\ncurrent = "2026"',
  'catalog = { kind = "rest", uri = "https://c", token_url = "https://t", client_id_env = "I", client_secret_env = "S" }',
  'mounts = { "s3://lake/wh/" = "restored/wh/" }',
  '[jobs."a"]\nrun = ["node", "job.js", "--mail", "a@b.example"]',
])('%s holds no secret', (text) => expect(() => check(text)).not.toThrow());

test.each([
  ['LAKE_TOKEN', /has no LAKE_TOKEN/],
  ['lake_token', /has no lake_token/],
  // As a key of AWS looks without its signs.
  ['wJalrXUtnFEMIK7MDENGbPxRfiCY', /has no variable of the name/],
])('a variable that is missing is named where it is a name: %s', (name, message) => {
  expect(() => secretOf(name, {})).toThrow(message);
  expect(() => secretOf(name, { [name]: '' })).toThrow(message);
});
