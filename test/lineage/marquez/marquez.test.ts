import { afterEach, expect, test } from 'vitest';
import { type MarquezEvents, marquezEvents, rawEvents, readLineage } from '../../../src/lineage/index.ts';
import { stringifyJson } from '../../../src/values/json.ts';
import { Private } from '../../../src/values/private.ts';
import { runEvents } from '../../support/openlineage.ts';
import { type Fault, type MarquezServer, marquezServer } from './server.ts';

const TOKEN = 'a-secret-token';
let server: MarquezServer;

afterEach(() => server?.close());

/** An event at a minute of a day, with a number that a double cannot hold. */
function event(id: number, time: string): string {
  return `{"eventTime":"${time}","run":{"runId":"r${id}"},"job":{"namespace":"n","name":"j"},"rows":900719925474099${id}7}`;
}

const minute = (at: number): string =>
  `2031-03-01T00:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}.123456Z`;

async function start(events: readonly string[], fault?: Fault): Promise<void> {
  server = await marquezServer(events, fault);
}

async function collect(options: Partial<MarquezEvents> = {}): Promise<readonly string[]> {
  const found: string[] = [];
  const { events } = marquezEvents({ url: server.url, fetch, ...options });
  for await (const each of events) found.push(stringifyJson(each));
  return found;
}

test('every event comes once, oldest first, page by page, after 2029 too, and with every digit', async () => {
  const stored = Array.from({ length: 23 }, (_, at) => event(at, minute(at)));
  await start(stored);
  expect(await collect({ pageSize: 5 })).toEqual(stored);
});

test('more events in one moment than a page holds, in an order that changes, are all read', async () => {
  const stored = [
    ...Array.from({ length: 40 }, (_, at) => event(at, minute(1))),
    ...Array.from({ length: 3 }, (_, at) => event(100 + at, minute(2))),
  ];
  await start(stored);
  expect([...(await collect({ pageSize: 4 }))].sort()).toEqual([...stored].sort());
});

test('a read goes on from a stored position, and misses nothing that came since', async () => {
  const stored = Array.from({ length: 12 }, (_, at) => event(at, minute(at)));
  await start(stored.slice(0, 7));
  const positions: string[] = [];
  await collect({ pageSize: 3, passed: (position) => void positions.push(position) });
  await server.close();
  await start(stored);
  const rest = await collect({ from: positions.at(-1)!, pageSize: 3 });
  expect(rest).toEqual(stored.slice(6));
});

test('a read ends at what was newest when it began, so that events which come in do not keep it going', async () => {
  const stored = Array.from({ length: 5 }, (_, at) => event(at, minute(at)));
  await start(stored);
  expect(await collect({ pageSize: 2 })).toEqual(stored);
  for (const { query } of server.requests.slice(1))
    expect(query.get('before')).toBe('2031-03-01T00:00:04.124Z');
});

test('an empty server has no events, and what it says is lineage with the service as its place', async () => {
  await start([]);
  expect(await collect()).toEqual([]);
  await server.close();
  const run = { job: 'j', output: 'mart.t', columns: { id: ['crm.people.id'] } };
  await start([
    ...runEvents(run).map((each) => JSON.stringify(each)),
    event(1, minute(1)),
    '{"eventTime":"2032-01-01T00:00:00Z"}',
  ]);
  const source = marquezEvents({ url: server.url, fetch });
  const lineage = await readLineage({ from: [source] });
  expect(lineage.edges).toMatchObject([{ from: { table: 'crm.people' }, to: { table: 'mart.t' } }]);
  expect(lineage.skipped).toEqual([
    { file: server.url, line: 4, run: null, why: 'no OpenLineage event: it has no job and no dataset' },
  ]);
  const raw = [];
  for await (const each of rawEvents(source)) raw.push(each);
  expect(raw.map(({ file, line }) => [file, line])).toEqual([1, 2, 3, 4].map((line) => [server.url, line]));
});

test('the token goes to the server, and a server that is down for a while is asked again', async () => {
  const stored = [event(1, minute(1))];
  await start(stored, (_, response, number) => {
    if (number > 3) return false;
    if (number === 1) response.writeHead(503).end('down');
    if (number === 2) response.destroy();
    if (number === 3) {
      response.writeHead(200, { 'content-length': '500' });
      response.write('{"events":[{"eventTime":');
      setImmediate(() => response.destroy());
    }
    return true;
  });
  const waits: number[] = [];
  const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  expect(await collect({ token: new Private(TOKEN), wait })).toEqual(stored);
  expect(waits).toEqual([500, 2000, 8000]);
  expect(new Set(server.requests.map(({ token }) => token))).toEqual(new Set([`Bearer ${TOKEN}`]));
});

const always =
  (status: number, body = `secret body ${TOKEN}`, headers: Record<string, string> = {}): Fault =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };

test.each<[string, Fault, string, number]>([
  ['a server that stays down', always(500), 'lineage/api-unreachable', 4],
  ['one that is too busy', always(429), 'lineage/api-unreachable', 4],
  ['a wrong token', always(401), 'lineage/api-denied', 1],
  ['a forbidden one', always(403), 'lineage/api-denied', 1],
  ['another service', always(404), 'lineage/api-answer', 1],
  ['a redirect', always(302, '', { location: 'http://127.0.0.1:1/elsewhere' }), 'lineage/api-redirect', 1],
  ['half a page', always(200, '{"events":[{"eventTime":"2031-0'), 'lineage/api-answer', 4],
  ['a page of a login', always(200, '<html>sign in</html>'), 'lineage/api-answer', 4],
  ['a page without events', always(200, '{"jobs":[]}'), 'lineage/api-answer', 4],
  ['events without a time', always(200, '{"events":[{"job":1}]}'), 'lineage/api-answer', 1],
  [
    'the same page for ever',
    always(200, `{"events":[${event(1, minute(9))},${event(2, minute(1))}]}`),
    'lineage/api-answer',
    1,
  ],
])('%s is a typed error that holds no credentials', async (_, fault, code, requests) => {
  await start([event(1, minute(1))], fault);
  const failed = await collect({ token: new Private(TOKEN) }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code });
  expect(
    `${(failed as Error).message} ${JSON.stringify(failed)} ${String((failed as Error).cause)}`,
  ).not.toContain(TOKEN);
  expect(server.requests).toHaveLength(requests);
});

test('a server that repeats a page and never leads on to its newest event is refused', async () => {
  const same = [event(1, minute(1)), event(2, minute(1))];
  await start([], (_, response, number) => {
    response.end(`{"events":[${number === 1 ? event(9, minute(9)) : same.join(',')}]}`);
    return true;
  });
  await expect(collect({ pageSize: 2 })).rejects.toMatchObject({ code: 'lineage/api-endless' });
  expect(server.requests.length).toBeLessThan(20);
});

test.each([
  ['no address', 'marquez'],
  ['a file', 'file:///etc/passwd'],
  ['credentials in it', `https://user:${TOKEN}@marquez.example.com`],
  ['a key in its query', `https://marquez.example.com?key=${TOKEN}`],
  ['a token without encryption', 'http://marquez.example.com'],
])('an address with %s is refused before a request, and not shown', (_, url) => {
  let failed: unknown;
  try {
    marquezEvents({ url, fetch, token: new Private(TOKEN) });
  } catch (error) {
    failed = error;
  }
  expect(failed).toMatchObject({ code: 'lineage/api-address' });
  expect(`${(failed as Error).message} ${JSON.stringify(failed)}`).not.toContain(TOKEN);
});

test('a position that is no time is refused', () => {
  expect(() => marquezEvents({ url: 'https://m.example.com', fetch, from: 'yesterday' })).toThrow(
    expect.objectContaining({ code: 'lineage/api-position' }),
  );
});
