import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests and examples import the package by its name, as its users do: the paths of tsconfig.json lead to the sources.
  resolve: { tsconfigPaths: true },
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
