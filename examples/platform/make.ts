import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatCount } from './format.ts';
import { makePlatform } from './index.ts';
import { ensureBuilt, linkPackage } from './install.ts';
import { writeWorkspace } from './workspace.ts';

// `npm run platform -- DIR`: the learning platform in DIR, as the request of learner 3590 finds it, ready for the command.

const [target] = process.argv.slice(2);

if (target === '--help' || target === '-h') {
  process.stdout.write(
    'npm run platform -- DIR: makes the learning platform in DIR, a new or an empty folder\n',
  );
} else if (target === undefined || target.startsWith('-')) {
  fail('Name a folder to make the platform in: npm run platform -- DIR');
} else if (existsSync(target) && readdirSync(target).length > 0) {
  fail(`${target} is not empty, and nothing in it was changed. Name a new folder.`);
} else if (!ensureBuilt()) {
  fail('The package does not compile, and nothing was made. Mend what is said above.');
} else {
  const dir = resolve(target);
  const platform = await makePlatform({ dir });
  try {
    writeWorkspace(dir);
    linkPackage(dir);
    let rows = 0;
    const tables = await platform.warehouse.list();
    for (const table of tables) rows += (await platform.warehouse.describe(table)).rows;
    process.stdout.write(welcome(dir, tables.length, rows));
  } finally {
    await platform.close();
  }
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}

function welcome(dir: string, tables: number, rows: number): string {
  return `The learning platform: ${tables} tables with ${formatCount(rows)} rows, and the lineage of four pipelines.

  cd ${dir}
  export LETHE_REGISTER_KEY=hex:$(node -p 'crypto.randomBytes(32).toString("hex")')

  npx lethe plan learner                                # every table that holds learners, and what happens to it
  npx lethe due --day 2026-10-01                        # what the retention rules no longer keep
  npx lethe erase learner 3590 --request erasure-0001 --day 2026-10-01 --min-age 0h
  npx lethe scan learner 3590                           # reads every file that is left
  node pipelines/run.js learner_activity                # a pipeline, as every night
  npx lethe register check                              # whether an erased learner is back

The key above is for this shell only: keep one like it as a secret where the register is used for real.
`;
}
