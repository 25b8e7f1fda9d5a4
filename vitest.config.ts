import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Tests and examples import the package by its name, as its users do; here that means its sources (as in tsconfig.json).
const source = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url));

export default defineConfig({
  // The examples import `lethe` as a user does: the paths of tsconfig.json lead to the sources.
  resolve: { tsconfigPaths: true },
  resolve: {
    alias: [
      { find: /^lethe$/, replacement: source('index.ts') },
      { find: /^lethe\/system$/, replacement: source('cli/system.ts') },
      { find: /^lethe\/(.+)$/, replacement: source('$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/interop/**', 'node_modules/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    setupFiles: ['test/support/fail-on-console.ts'],
  },
});
