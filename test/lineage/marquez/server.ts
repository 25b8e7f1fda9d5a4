import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { instantOf } from '../../../src/lineage/read/instant.ts';
import { parseJson } from '../../../src/values/json.ts';

/** A server on this machine that answers as Marquez does, and what it was asked. */
export interface MarquezServer {
  readonly url: string;
  readonly requests: readonly { readonly query: URLSearchParams; readonly token: string | undefined }[];
  /** Stores more events. */
  add(stored: readonly string[]): void;
  close(): Promise<void>;
}

/** Answers a request in its own way; false leaves it to the API. */
export type Fault = (request: IncomingMessage, response: ServerResponse, number: number) => boolean;

/**
 * `GET /api/v1/events/lineage` as `OpenLineageResource` and `OpenLineageDao` have it: `before` exclusive, `after` inclusive,
 * sorted by time alone (events of one moment in any order), 100 events if no limit is given, and everything from 2030 on
 * left out if no end is given.
 */
export async function marquezServer(
  stored: readonly string[],
  fault: Fault = () => false,
): Promise<MarquezServer> {
  const events: { readonly text: string; readonly time: number }[] = [];
  const add = (more: readonly string[]): void => {
    for (const text of more) {
      const { eventTime } = parseJson(text) as { eventTime: string };
      events.push({ text, time: instantOf(eventTime)! });
    }
  };
  add(stored);
  const requests: { query: URLSearchParams; token: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://server');
    requests.push({ query: url.searchParams, token: request.headers.authorization });
    if (fault(request, response, requests.length)) return;
    if (url.pathname !== '/api/v1/events/lineage') {
      response.writeHead(404).end('{"code":404,"message":"HTTP 404 Not Found"}');
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(pageOf(url.searchParams, events, requests.length));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    add,
    close: () => new Promise((closed) => void server.close(() => closed())),
  };
}

function pageOf(
  query: URLSearchParams,
  events: readonly { readonly text: string; readonly time: number }[],
  turn: number,
): string {
  const before = instantOf(query.get('before') ?? '2030-01-01T00:00:00+00:00')!;
  const after = instantOf(query.get('after') ?? '1970-01-01T00:00:00+00:00')!;
  const sign = query.get('sortDirection') === 'asc' ? 1 : -1;
  // Ties are in another order at every request, as a database may have them.
  const shuffled = turn % 2 === 0 ? [...events] : [...events].reverse();
  const found = shuffled
    .filter(({ time }) => time >= after && time < before)
    .sort((a, b) => sign * (a.time - b.time));
  const offset = Number(query.get('offset') ?? 0);
  const page = found.slice(offset, offset + Number(query.get('limit') ?? 100));
  return `{"events":[${page.map(({ text }) => text).join(',')}],"totalCount":${events.length + 3}}`;
}
