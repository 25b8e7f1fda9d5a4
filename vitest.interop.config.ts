import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, longest first, so that both workers are busy to the end; `platform` needs none of the servers that
 * start meanwhile.
 */
const FIRST = ['spark', 'platform', 'trino', 'pyiceberg', 'leaves', 'writers', 'refused', 'staged', 'places'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = FIRST.indexOf(basename(moduleId, '.test.ts'));
      return at < 0 ? FIRST.length : at;
    };
    return [...files].sort((one, other) => place(one) - place(other));
  }
}

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
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    setupFiles: ['test/support/fail-on-console.ts'],
  },
});
