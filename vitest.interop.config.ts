import { defineConfig } from 'vitest/config';

/** Another implementation reads what Lethe writes, and the other way round. Its globalSetup makes the Python environment. */
export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/interop/**/*.test.ts'],
    globalSetup: ['test/interop/environment.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    setupFiles: ['test/support/fail-on-console.ts'],
  },
});
