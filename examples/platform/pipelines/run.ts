import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openIceberg } from 'lethe';
import { system } from 'lethe/system';
import { type PipelineName, pipelines } from './index.ts';
import { runPipeline } from './run-pipeline.ts';

// Runs one pipeline of the platform that this file stands in: `node pipelines/run.js course_performance`.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const name = process.argv[2] ?? '';

if (Object.hasOwn(pipelines, name)) {
  const tables = join(root, 'warehouse');
  const warehouse = await openIceberg({ catalog: { kind: 'directory', path: tables }, ...system });
  try {
    const pipeline = pipelines[name as PipelineName];
    const { rowsAdded } = await runPipeline(pipeline, {
      warehouse,
      tables,
      events: join(root, 'lineage'),
      ...system,
    });
    process.stdout.write(`${pipeline.table}: ${rowsAdded} rows\n`);
  } finally {
    await warehouse.close();
  }
} else {
  process.stderr.write(`Name one pipeline: ${Object.keys(pipelines).join(', ')}.\n`);
  process.exitCode = 2;
}
