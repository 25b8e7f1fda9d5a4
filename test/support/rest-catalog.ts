import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse, stringify } from 'lossless-json';
import { createTable, type Json, type StubTable, TableFailure, updateTable } from './rest-table.ts';

/** A request as the stub sees it, path without `/v1` and prefix. */
export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a test makes the stub do instead of answering, or after having done what it was asked for. */
export type Fault = (
  request: StubRequest,
  response: ServerResponse,
  carryOut: () => Answer,
) => Handling | Promise<Handling>;

/** Whether the stub still has to answer. */
type Handling = 'pass' | 'handled';

export interface Answer {
  readonly status: number;
  readonly body: Json | null;
}

export interface StubOptions {
  /** The folder under which tables are put. */
  readonly warehouse: string;
  readonly prefix?: string;
  /** As it stands in a path, `%1F` if left out. */
  readonly separator?: string;
  readonly config?: {
    readonly defaults?: Json;
    readonly overrides?: Json;
    readonly endpoints?: readonly string[];
  };
  readonly pageSize?: number;
  /** Client credentials that are taken; without them, everybody is. */
  readonly oauth?: { readonly clientId: string; readonly clientSecret: string; readonly expiresIn: number };
  /** A token that is taken beside those that were given. */
  readonly token?: string;
  /** A token that is taken for one table's requests now. */
  readonly tableToken?: () => string;
  /** What a lifetime of idempotency keys is said to be; without it, they are not known. */
  readonly keyLifetime?: string;
  /** Added to each answer with a table. */
  readonly vended?: (table: string) => Json;
}

/** Iceberg's REST catalog specification in memory, as far as Lethe uses it, with faults on demand. */
export interface RestCatalogStub {
  readonly uri: string;
  readonly requests: StubRequest[];
  readonly tables: Map<string, StubTable>;
  /** Asked before each answer. */
  fault: Fault | undefined;
  /** Ends every token that was given. */
  endTokens(): void;
  /** Names of namespaces, as JSON of their levels. */
  readonly namespaces: Set<string>;
  close(): Promise<void>;
}

export async function startRestCatalog(options: StubOptions): Promise<RestCatalogStub> {
  const tokens = new Set<string>();
  const stub = {
    requests: [] as StubRequest[],
    tables: new Map<string, StubTable>(),
    namespaces: new Set<string>(),
    fault: undefined as Fault | undefined,
    endTokens: () => tokens.clear(),
  };
  let given = 0;
  const separator = decodeURIComponent(options.separator ?? '%1F');

  const answer = (request: StubRequest): Answer => {
    const { method, path, query, body } = request;
    if (path === '/oauth/tokens') return giveToken(new URLSearchParams(body));
    if (!isKnown(request.headers.authorization))
      return failure(401, 'NotAuthorizedException', 'Not authorized');
    if (path === '/config') {
      const { defaults = {}, overrides = {}, endpoints } = options.config ?? {};
      const prefix = options.prefix === undefined ? {} : { prefix: options.prefix };
      const own = options.separator === undefined ? {} : { 'namespace-separator': options.separator };
      return ok({
        defaults,
        overrides: { ...own, ...prefix, ...overrides },
        ...(endpoints === undefined ? {} : { endpoints }),
        ...(options.keyLifetime === undefined ? {} : { 'idempotency-key-lifetime': options.keyLifetime }),
      });
    }
    const prefix = options.prefix === undefined ? '' : `/${options.prefix}`;
    if (!path.startsWith(`${prefix}/namespaces`)) return failure(404, null, 'no such path');
    const parts = path.slice(`${prefix}/namespaces`.length).split('/').slice(1).map(decodeURIComponent);
    const levels = parts[0]?.split(separator) ?? [];
    if (parts.length === 0) return method === 'POST' ? makeNamespace(bodyOf(body)) : listNamespaces(query);
    if (!stub.namespaces.has(JSON.stringify(levels)))
      return failure(404, 'NoSuchNamespaceException', `Namespace does not exist: ${levels.join('.')}`);
    if (parts.length === 1) return ok({ namespace: levels, properties: {} });
    if (parts.length === 2)
      return method === 'POST' ? makeTable(levels, bodyOf(body)) : listTables(levels, query);
    return tableAnswer(method, levels, parts[2]!, parts[3], body);
  };

  const isKnown = (authorization: string | undefined): boolean => {
    if (options.oauth === undefined && options.token === undefined) return true;
    const token = authorization?.replace(/^Bearer /, '') ?? '';
    return tokens.has(token) || [options.token, options.tableToken?.()].includes(token);
  };
  const giveToken = (form: URLSearchParams): Answer => {
    const { oauth } = options;
    const right =
      form.get('grant_type') === 'client_credentials' &&
      form.get('client_id') === oauth?.clientId &&
      form.get('client_secret') === oauth?.clientSecret;
    if (!right)
      return {
        status: 401,
        body: { error: 'invalid_client', error_description: `no ${form.get('client_secret')}` },
      };
    given += 1;
    tokens.add(`token-${given}`);
    return ok({ access_token: `token-${given}`, token_type: 'bearer', expires_in: oauth?.expiresIn ?? 3600 });
  };
  const makeNamespace = ({ namespace }: Json): Answer => {
    const levels = namespace as string[];
    const parent = levels.slice(0, -1);
    if (parent.length > 0 && !stub.namespaces.has(JSON.stringify(parent)))
      return failure(404, 'NoSuchNamespaceException', 'the parent does not exist');
    if (stub.namespaces.has(JSON.stringify(levels))) return failure(409, 'AlreadyExistsException', 'exists');
    stub.namespaces.add(JSON.stringify(levels));
    return ok({ namespace: levels, properties: {} });
  };
  const page = (key: string, all: readonly unknown[], query: URLSearchParams): Answer => {
    const { pageSize } = options;
    if (pageSize === undefined || !query.has('pageToken')) return ok({ [key]: all });
    const from = Number(query.get('pageToken') || '0');
    const next = from + pageSize < all.length ? String(from + pageSize) : null;
    return ok({ [key]: all.slice(from, from + pageSize), 'next-page-token': next });
  };
  const listNamespaces = (query: URLSearchParams): Answer => {
    const parent = query.get('parent')?.split(separator) ?? [];
    const all = [...stub.namespaces].map((name) => JSON.parse(name) as string[]);
    const children = all.filter(
      (levels) =>
        levels.length === parent.length + 1 && parent.every((level, index) => levels[index] === level),
    );
    return page('namespaces', children.sort(), query);
  };
  const listTables = (levels: readonly string[], query: URLSearchParams): Answer => {
    const own = [...stub.tables.values()].filter(
      ({ namespace }) => JSON.stringify(namespace) === JSON.stringify(levels),
    );
    return page(
      'identifiers',
      own.map(({ namespace, name }) => ({ namespace, name })),
      query,
    );
  };
  const makeTable = (levels: readonly string[], request: Json): Answer => {
    const name = String(request.name);
    const key = JSON.stringify([...levels, name]);
    if (stub.tables.has(key)) return failure(409, 'AlreadyExistsException', `Table already exists: ${name}`);
    const location = `${options.warehouse}/${[...levels, name].join('/')}`;
    const table = createTable({ namespace: levels, name, location, request });
    stub.tables.set(key, table);
    return shown(table);
  };
  const tableAnswer = (
    method: string,
    levels: readonly string[],
    name: string,
    more: string | undefined,
    body: string,
  ): Answer => {
    const key = JSON.stringify([...levels, name]);
    const table = stub.tables.get(key);
    if (table === undefined)
      return failure(404, 'NoSuchTableException', `Table does not exist: ${levels.join('.')}.${name}`);
    if (more === 'credentials')
      return ok({ 'storage-credentials': options.vended?.(name)['storage-credentials'] ?? [] });
    if (method === 'DELETE') {
      stub.tables.delete(key);
      return { status: 204, body: null };
    }
    if (method === 'GET') return shown(table);
    try {
      stub.tables.set(key, updateTable(table, bodyOf(body)));
    } catch (cause) {
      if (cause instanceof TableFailure) return failure(409, 'CommitFailedException', cause.message);
      throw cause;
    }
    return shown(stub.tables.get(key)!);
  };
  const shown = ({ file, metadata, name }: StubTable): Answer =>
    ok({ 'metadata-location': file, metadata, config: {}, ...options.vended?.(name) });

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const url = new URL(incoming.url ?? '/', 'http://stub');
      const request: StubRequest = {
        method: incoming.method ?? 'GET',
        path: url.pathname.replace(/^\/v1/, ''),
        query: url.searchParams,
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      stub.requests.push(request);
      let carriedOut: Answer | undefined;
      const carryOut = (): Answer => {
        carriedOut ??= answer(request);
        return carriedOut;
      };
      const fault = stub.fault;
      if (fault !== undefined && (await fault(request, response, carryOut)) === 'handled') return;
      sendAnswer(response, carryOut());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(stub, {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Sends an answer as it is. */
export function sendAnswer(
  response: ServerResponse,
  { status, body }: Answer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === null ? undefined : stringify(body));
}

/** An error in the words of the specification. */
export function failure(status: number, type: string | null, message: string): Answer {
  return {
    status,
    body: { error: { message, ...(type === null ? {} : { type }), code: status, stack: [] } },
  };
}

function ok(body: Json): Answer {
  return { status: 200, body };
}

function bodyOf(body: string): Json {
  return parse(body) as Json;
}
