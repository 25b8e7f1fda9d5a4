// node copy.mjs OUT IDS FILE…: DuckDB alone writes each file again without the people, as is cheapest: the floor of a delete that
// writes whole files. Prints the CPU seconds and the peak that it took.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { peak } from '../peak.ts';

const [out, ids, ...files] = process.argv.slice(2) as [string, string, ...string[]];
const people = (JSON.parse(ids) as readonly number[]).join(', ');
mkdirSync(out, { recursive: true });
const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
const connection = await instance.connect();
const before = process.cpuUsage();
for (const [number, file] of files.entries()) {
  await connection.run(
    `COPY (SELECT * FROM read_parquet('${file}', hive_partitioning = false) WHERE (learner_id IN (${people})) IS NOT TRUE) TO '${join(out, `${number}.parquet`)}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 3)`,
  );
}
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ cpu: (user + system) / 1e6, peak: peak(), result: null }));
