import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLineage } from '../../src/lineage/index.ts';
import { rawEvents } from '../../src/lineage/read/raw-events.ts';
import { localStorage, type Storage } from '../../src/storage/index.ts';
import { runEvents } from '../support/openlineage.ts';

const FILES = 2000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lethe-streams-'));
  for (let at = 0; at < FILES; at++) {
    const [event] = runEvents({
      job: `job ${at}`,
      output: `m.t${at}`,
      columns: { id: ['s.u.id'] },
      states: ['COMPLETE'],
      runId: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    });
    await writeFile(join(folder, `${at}.json`), JSON.stringify(event));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a folder of many files is read whole, each file once what came before it was taken', async () => {
  let opened = 0;
  const local = localStorage();
  const storage: Storage = {
    ...local,
    read: (location, range) => {
      opened += 1;
      return local.read(location, range);
    },
  };
  const files = new Set<string>();
  const events: unknown[] = [];
  for await (const read of rawEvents(folder, storage)) {
    files.add(read.file);
    expect(opened).toBe(files.size);
    if ('value' in read) events.push(read.value);
  }
  expect(files.size).toBe(FILES);
  const lineage = await readLineage({ from: [events] });
  expect(lineage.skipped).toEqual([]);
  expect(lineage.edges).toHaveLength(FILES);
});

test('an event of 5 MB is one event, wherever its bytes are cut', async () => {
  // Letters of several bytes, so that cuts fall inside of them.
  const names = Array.from({ length: 16_000 }, (_, at) => `größe_${'é'.repeat(40)}_${at}`);
  const [event] = runEvents({
    job: 'wide',
    output: 'm.wide',
    columns: Object.fromEntries(names.map((name) => [name, [`s.wide.${name}`]])),
    states: ['COMPLETE'],
  });
  const bytes = Buffer.from(JSON.stringify(event));
  expect(bytes.length).toBeGreaterThan(5e6);
  const small = Buffer.from(`${JSON.stringify(runEvents({ job: 'a', output: 'm.a' })[0])}\n`);
  const whole = Buffer.concat([small, bytes, Buffer.from('\n'), small]);
  for (const length of [4093, 65_536]) {
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < whole.length; at += length) yield whole.subarray(at, at + length);
    };
    const lineage = await readLineage({ from: [{ name: 'standard input', bytes: chunks() }] });
    expect(lineage.skipped).toEqual([]);
    expect(lineage.events).toBe(3);
    expect(lineage.edges.map(({ to }) => to.column).sort()).toEqual([...names].sort());
    expect(lineage.edges.every(({ from, to }) => from.column === to.column)).toBe(true);
  }
});

test.each(['plain', 'zipped'])('a long %s file is read through one piece of memory', async (kind) => {
  // Random bytes, so that the zipped file is longer than a part too.
  const events = Array.from({ length: 300 }, (_, at) => {
    const columns = Object.fromEntries(
      ['id', 'name', `c_${at}`].map((name) => [name, [`s.t_${at}.${name}`]]),
    );
    const [event] = runEvents({ job: `job_${at}`, output: `m.t_${at}`, columns, states: ['COMPLETE'] });
    return { ...(event as object), padding: randomBytes(15_000).toString('base64') };
  });
  const text = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  const file = join(folder, '..', `${basename(folder)}-${kind}`);
  await writeFile(file, kind === 'zipped' ? gzipSync(text) : text);
  const given = new Set<unknown>();
  const local = localStorage();
  const storage: Storage = {
    ...local,
    read: (location, range) => {
      given.add(range?.into);
      // What a part held before is over with.
      range?.into?.fill(0);
      return local.read(location, range);
    },
  };
  const lineage = await readLineage({ from: [file], storage });
  await rm(file);
  expect(given.size).toBe(1);
  expect([...given][0]).toBeInstanceOf(Uint8Array);
  expect(lineage.skipped).toEqual([]);
  expect(lineage.edges).toEqual((await readLineage({ from: [events] })).edges);
});
