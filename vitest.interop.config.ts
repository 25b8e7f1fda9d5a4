import { defineConfig } from 'vitest/config';

/**
 * Other implementations read what Lethe writes, and the other way round (docs/interop.md). Its globalSetup makes PyIceberg's
 * environment and starts each service when the first test asks for it.
 */
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
