import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pipelines } from '../../examples/platform/pipelines/index.ts';
import { writeWorkspace } from '../../examples/platform/workspace.ts';
import { readConfig } from '../../src/cli/config/read.ts';
import { loadGovernance } from '../../src/governance/index.ts';

const dir = mkdtempSync(join(tmpdir(), 'lethe-workspace-'));

beforeAll(() => writeWorkspace(dir));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the folder of npm run platform', () => {
  it('has a configuration that the command reads, with a job for every pipeline', async () => {
    const config = await readConfig(join(dir, 'lethe.toml'));
    expect(config.governance).toBe(join(dir, 'governance'));
    expect(config.warehouse?.catalog).toMatchObject({ kind: 'directory', path: join(dir, 'warehouse') });
    expect(config.jobs.map(({ name, makes, replacesAll }) => ({ name, makes, replacesAll }))).toEqual(
      Object.values(pipelines).map(({ job, table }) => ({ name: job, makes: [table], replacesAll: true })),
    );
    for (const { run } of config.jobs) expect(existsSync(join(dir, run[1]!))).toBe(true);
  });

  it('has the governance files as they are reviewed', async () => {
    const governance = await loadGovernance(join(dir, 'governance'));
    expect([...governance.retention.keys()].sort()).toEqual([
      'billing.payments',
      'learning.events',
      'support.tickets',
    ]);
    expect([...governance.names.sources.keys()]).toHaveLength(8);
    expect(readdirSync(join(dir, 'governance', 'cases'))).not.toEqual([]);
  });

  it('has pipelines that plain Node reads: no types, and imports that lead to files', () => {
    const folder = join(dir, 'pipelines');
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8');
      expect(text).not.toMatch(/^(import|export) type|\binterface\b.*\{$/m);
      for (const [, path] of text.matchAll(/from ['"](\.[^'"]+)['"]/g))
        expect(existsSync(join(folder, path!))).toBe(true);
    }
  });

  it('names secrets and holds none', () => {
    const { register } = parse(readFileSync(join(dir, 'lethe.toml'), 'utf8')) as {
      register: Record<string, string>;
    };
    expect(register).toEqual({ path: 'register.ndjson', key_env: 'LETHE_REGISTER_KEY' });
  });
});
