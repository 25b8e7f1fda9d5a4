import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, root, sourcesUnder } from './architecture/sources.ts';

interface Manifest {
  readonly name: string;
  readonly license: string;
  readonly type: string;
  readonly engines: { readonly node: string };
  readonly files: readonly string[];
  readonly bin: { readonly lethe: string };
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, unknown>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const entries = Object.entries(manifest.exports).filter(([key]) => key !== './package.json');

/** The source of a built file. */
const sourceOf = (built: string): string =>
  built.replace('./dist/', 'src/').replace(/(\.d\.ts|\.js)$/, '.ts');

/** The package that a module specifier belongs to. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

describe('the package', () => {
  test('is an ES module under Apache-2.0 for Node 20.19 and later', () => {
    expect(manifest).toMatchObject({ name: 'lethe', type: 'module', license: 'Apache-2.0' });
    expect(manifest.engines.node).toBe('^20.19.0 || ^22.13.0 || >=24');
    expect(read('LICENSE')).toContain('Apache License');
  });

  test('publishes dist and its documents, nothing else', () => {
    expect(manifest.files).toEqual(['dist', 'README.md', 'CHANGELOG.md', 'LICENSE']);
    for (const document of manifest.files.slice(1))
      expect(existsSync(join(root, document)), document).toBe(true);
  });

  test('has one entry for the root, one for each folder that users import, and the real clock', () => {
    const folders = readdirSync(join(root, 'src'))
      .filter((name) => statSync(join(root, 'src', name)).isDirectory())
      .filter((name) => existsSync(join(root, 'src', name, 'index.ts')))
      .map((name) => `./${name}`);
    expect(entries.map(([key]) => key).sort()).toEqual(['.', './system', ...folders].sort());
  });

  test.each(entries)('%s gives types first, and both from one source file', (_, target) => {
    expect(typeof target).toBe('object');
    if (typeof target === 'string') return;
    expect(Object.keys(target)).toEqual(['types', 'default']);
    expect(sourceOf(target.types)).toBe(sourceOf(target.default));
    expect(existsSync(join(root, sourceOf(target.default)))).toBe(true);
  });

  test('starts the command with Node', () => {
    expect(Object.keys(manifest.bin)).toEqual(['lethe']);
    expect(read(sourceOf(manifest.bin.lethe)).split('\n')[0]).toBe('#!/usr/bin/env node');
  });

  test('declares the dependencies that its sources import, all of them and no others', () => {
    const builtin = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
    const imported = sourcesUnder('src')
      .flatMap((source) => importsOf(source).map((one) => one.to))
      .filter((to) => !to.startsWith('src/') && !builtin.has(to))
      .map(packageOf);
    const declared = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
    expect([...new Set(imported)].sort()).toEqual(declared.sort());
  });

  test('imports what only some users install when they use it, never before', () => {
    const optional = Object.keys(manifest.peerDependenciesMeta);
    expect(optional).toEqual(['@aws-sdk/client-s3', 'libsql', 'pg']);
    const early = sourcesUnder('src').filter(({ tree }) =>
      optional.some((name) =>
        new RegExp(`^(import|export) (?!type\\b)[^;]* from '${name}'`, 'm').test(tree.text),
      ),
    );
    expect(early.map(({ path }) => path)).toEqual([]);
  });

  test('depends on exactly these libraries', () => {
    expect(Object.keys(manifest.dependencies)).toEqual([
      '@dagrejs/dagre',
      '@duckdb/node-api',
      'apache-arrow',
      'commander',
      'fzstd',
      'graphology',
      'graphology-traversal',
      'hash-wasm',
      'hyparquet',
      'hysnappy',
      'lossless-json',
      'smol-toml',
      'tinyglobby',
      'toml-eslint-parser',
      'zod',
      'zstddec',
    ]);
  });
});

describe('a fresh clone', () => {
  test.each(['demo', 'test', 'platform', 'types', 'lint', 'build'])(
    'npm run %s installs what is missing',
    (name) => {
      expect(manifest.scripts[name]).toMatch(/^node scripts\/ready\.mjs && /);
    },
  );

  test('installs from a lock file that names no host', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      readonly packages: Readonly<
        Record<string, { readonly resolved?: string; readonly integrity?: string }>
      >;
    };
    const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
    expect(packages.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, entry]) => entry.integrity === undefined).map(([path]) => path)).toEqual([]);
  });

  test('shows both commands on the first screen of the README', () => {
    const screen = read('README.md').split('\n').slice(0, 40).join('\n');
    expect(screen).toContain('npm run demo');
    expect(screen).toContain('npm test');
  });
});
