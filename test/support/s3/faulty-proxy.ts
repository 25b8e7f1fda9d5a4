import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the network does to one request. */
export type Fault =
  /** The server answers with this and does nothing. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly code: string;
      readonly headers?: Record<string, string>;
    }
  /** The server does what is asked, and its answer is lost. */
  | { readonly kind: 'lost-answer' }
  /** The connection is cut before anything gets through. */
  | { readonly kind: 'cut' }
  /** Nobody answers. */
  | { readonly kind: 'silence' }
  /** The answer stops in the middle, and the connection is cut, or stays open. */
  | { readonly kind: 'half'; readonly open: boolean }
  /** The answer comes in chunks, without its length; `cut` breaks the connection in the middle. */
  | { readonly kind: 'chunked'; readonly cut: boolean }
  /** The answer says something else. */
  | { readonly kind: 'edit'; edit(text: string): string };

/** A request as the proxy sees it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
}

/** A proxy that hands requests on, and does to some what networks do. */
export interface FaultyProxy {
  readonly endpoint: string;
  /** Asked for each request; undefined hands it on. */
  fault: (seen: Seen) => Fault | undefined;
  readonly seen: Seen[];
  close(): Promise<void>;
}

/** Starts a proxy in front of a server. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultyProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: () => undefined,
    seen: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const seen = { method: request.method ?? '', url: request.url ?? '' };
    proxy.seen.push(seen);
    const fault = proxy.fault(seen);
    const body = await whole(request);
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'cut') {
      request.socket.destroy();
      return;
    }
    if (fault?.kind === 'answer') {
      const text = `<Error><Code>${fault.code}</Code><Message>${fault.code}</Message></Error>`;
      response.writeHead(fault.status, { 'content-length': Buffer.byteLength(text), ...fault.headers });
      response.end(seen.method === 'HEAD' ? undefined : text);
      return;
    }
    const answer = await send(target, request, body);
    if (fault?.kind === 'lost-answer') {
      request.socket.destroy();
      return;
    }
    if (fault?.kind === 'edit') answer.body = Buffer.from(fault.edit(answer.body.toString()));
    if (fault?.kind === 'edit' || fault?.kind === 'chunked') delete answer.headers['content-length'];
    response.writeHead(answer.status, answer.headers);
    if (fault?.kind !== 'half' && !(fault?.kind === 'chunked' && fault.cut)) response.end(answer.body);
    else {
      response.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => {
        if (fault.kind === 'chunked' || !fault.open) request.socket.destroy();
      });
    }
  };
  return proxy;
}

async function send(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<{ readonly status: number; readonly headers: IncomingMessage['headers']; body: Buffer }> {
  const { hostname, port } = new URL(target);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    forward({ hostname, port, method, path: url, headers }, resolve).on('error', reject).end(body);
  });
  return { status: answer.statusCode ?? 500, headers: answer.headers, body: await whole(answer) };
}

async function whole(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
