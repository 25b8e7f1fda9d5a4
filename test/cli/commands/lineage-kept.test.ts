import { mkdir, mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MarquezServer, marquezServer } from '../../lineage/marquez/server.ts';
import { runEvents } from '../../support/openlineage.ts';
import { type Workspace, workspaceIn } from '../workspace.ts';

const RETENTION = '[erasure.subjects.person]\nid_type = "long"\nid_columns = ["id"]\nidentifying = []\n';

/** The events of runs at the hours `from` to `to`, two each; a long id keeps every digit. */
function events(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, at) =>
    runEvents({
      job: `j${from + at}`,
      output: `m.t${from + at}`,
      columns: { id: ['s.u.id'] },
      at: from + at,
    }),
  )
    .flat()
    .map((event) => JSON.stringify(event).replace('{', '{"number":9007199254740993,'));
}

let server: MarquezServer;
let workspace: Workspace;
let fault: Parameters<typeof marquezServer>[1];
beforeEach(async () => {
  fault = undefined;
  server = await marquezServer(events(0, 130), (...asked) => fault?.(...asked) ?? false);
  const dir = await mkdtemp(join(tmpdir(), 'lethe-kept-'));
  await mkdir(join(dir, 'governance'));
  await writeFile(join(dir, 'governance', 'retention.toml'), RETENTION);
  const lineage = `lineage = [{ marquez = "${server.url}", keep = "kept/events.ndjson" }]\n`;
  await writeFile(join(dir, 'lethe.toml'), lineage);
  workspace = workspaceIn(dir);
});
afterEach(async () => {
  await server.close();
  await workspace.remove();
});

const kept = (): string => join(workspace.dir, 'kept', 'events.ndjson');
const read = async (): Promise<number> => (await workspace.json('lineage edges')).document.events;
const keptLines = async (): Promise<readonly string[]> => (await readFile(kept(), 'utf8')).trim().split('\n');

test('events that are kept are asked for no more, but those of the last day before where the read ended', async () => {
  expect(await read()).toBe(260);
  expect(new Set(await keptLines())).toEqual(new Set(events(0, 130)));
  const before = server.requests.length;
  server.add(events(130, 132));
  expect(await read()).toBe(264);
  expect(await read()).toBe(264);
  expect(await keptLines()).toHaveLength(264);
  const after = server.requests.slice(before).filter(({ query }) => query.get('sortDirection') === 'asc');
  expect(after.map(({ query }) => query.get('after')! > '2026-09-05')).toEqual(after.map(() => true));
});

test('an event that is stored after younger ones is read, and one of a clock that is ahead hides no other', async () => {
  const [early, ...rest] = events(100, 130);
  const late = early!.replace('{', '{"late":true,');
  const ahead = rest.at(-1)!.replace(/"eventTime":"[^"]*"/, '"eventTime":"2099-01-01T00:00:00Z"');
  await server.close();
  server = await marquezServer([...events(129, 130), ahead], (...asked) => fault?.(...asked) ?? false);
  await workspace.edit('lethe.toml', (text) =>
    text.replace(/marquez = "[^"]*"/, `marquez = "${server.url}"`),
  );
  expect(await read()).toBe(3);
  const now = new Date().toISOString();
  const current = late.replace(/"eventTime":"[^"]*"/, `"eventTime":"${now}"`);
  server.add([current]);
  expect(await read()).toBe(4);
  expect(await keptLines()).toContain(current);
  server.add(events(120, 121));
  expect(await read()).toBe(4);
});

test('a read that is stopped before its first page is taken up again', async () => {
  fault = (_, response) => {
    response.writeHead(404).end();
    return true;
  };
  await workspace.json('lineage edges');
  await writeFile(kept(), '{"eventTime":"2026-', { flag: 'a' });
  fault = undefined;
  expect(await read()).toBe(260);
});

test('a read that a server breaks off goes on behind the last whole page', async () => {
  let pages = 0;
  fault = (request, response) => {
    if (!request.url!.includes('sortDirection=asc')) return false;
    pages += 1;
    if (pages <= 2) return false;
    response.writeHead(404).end();
    return true;
  };
  expect((await workspace.json('lineage edges')).document.error.code).toBe('lineage/api-answer');
  const whole = await keptLines();
  expect(whole.length).toBeGreaterThan(100);
  // What a process that died in the middle of a page leaves behind it.
  await writeFile(kept(), '{"eventTime":"2026-', { flag: 'a' });
  fault = undefined;
  expect(await read()).toBe(260);
  expect(new Set(await keptLines())).toEqual(new Set(events(0, 130)));
  expect(await keptLines()).toHaveLength(260);
});

test('a file of another server, without a note of its end, or with fewer events than it had is refused', async () => {
  await read();
  const other = await marquezServer([]);
  await workspace.edit('lethe.toml', (text) => text.replace(server.url, other.url));
  const refused = async (): Promise<string> => {
    const { exit, document } = await workspace.json('lineage edges');
    expect(exit).toBe(2);
    expect(document.error.code).toBe('cli/kept-events');
    return document.error.message;
  };
  expect(await refused()).toContain(`keeps the events of ${server.url}`);
  await workspace.edit('lethe.toml', (text) => text.replace(other.url, server.url));
  await other.close();
  await truncate(kept(), 100);
  expect(await refused()).toContain('has lost events');
  await writeFile(`${kept()}.position`, '{');
  expect(await refused()).toContain('says nothing of where its events end');
});

test('from leaves out what is older, and has to be a time', async () => {
  await workspace.edit('lethe.toml', (text) =>
    text.replace('keep = "kept/events.ndjson"', 'from = "2026-09-06T00:00:00Z"'),
  );
  // 120 hours are five days.
  expect(await read()).toBe(20);
  await workspace.edit('lethe.toml', (text) => text.replace('2026-09-06T00:00:00Z', 'yesterday'));
  expect((await workspace.json('lineage edges')).document.error).toMatchObject({
    code: 'cli/config',
    message: expect.stringContaining('must be a time'),
  });
});
