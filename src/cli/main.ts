#!/usr/bin/env node
import { processIo } from './io.ts';
import { run } from './run.ts';

// A reader that has seen enough (`lethe tables | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2), processIo());
