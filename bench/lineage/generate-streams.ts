import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FACET = { _producer: 'https://github.com/OpenLineage/OpenLineage', _schemaURL: '' };
const JOBS = 1000;

/** Writes a folder with one file, of one event of at least `bytes` bytes: a table of very many columns. */
export async function writeLargeEvent(folder: string, bytes: number): Promise<void> {
  await mkdir(folder);
  const each = JSON.stringify({ column_000000: fieldOf(1, 'column_000000') }).length;
  const text = JSON.stringify(eventOf({ job: 0, run: 0, columns: Math.ceil(bytes / (each - 1)) }));
  await writeFile(join(folder, 'event.json'), `${text}\n`);
}

/** Writes a folder of as many files, each the event of one run, of up to a thousand jobs that run again and again. */
export async function writeFiles(folder: string, files: number): Promise<void> {
  await mkdir(folder);
  const jobs = Math.min(JOBS, files);
  for (let run = 0; run < files; run++)
    await writeFile(
      join(folder, `${String(run).padStart(6, '0')}.json`),
      JSON.stringify(eventOf({ job: run % jobs, run, columns: 10 })),
    );
}

interface Job {
  readonly job: number;
  readonly run: number;
  readonly columns: number;
}

function eventOf({ job, run, columns }: Job): object {
  const dataset = (table: number): object => ({ namespace: 'iceberg://lake', name: `lake.table_${table}` });
  return {
    eventTime: '2026-10-01T00:00:00.000Z',
    eventType: 'COMPLETE',
    producer: FACET._producer,
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: `00000000-0000-4000-8000-${String(run).padStart(12, '0')}`, facets: {} },
    job: { namespace: 'spark', name: `job_${job}`, facets: {} },
    inputs: [{ ...dataset(job), facets: {} }],
    outputs: [
      {
        ...dataset(job + 1),
        facets: {
          columnLineage: {
            ...FACET,
            fields: Object.fromEntries(
              Array.from({ length: columns }, (_, at) => {
                const column = `column_${String(at).padStart(6, '0')}`;
                return [column, fieldOf(job, column)];
              }),
            ),
          },
        },
      },
    ],
  };
}

function fieldOf(table: number, column: string): object {
  const transformations = [{ type: 'DIRECT', subtype: 'IDENTITY', description: '', masking: false }];
  const source = { namespace: 'iceberg://lake', name: `lake.table_${table}`, field: column, transformations };
  return { inputFields: [source], transformationDescription: '', transformationType: '' };
}
