import { LetheError } from '../../../errors.ts';
import { parseJson, stringifyJson } from '../../../values/json.ts';
import type { Clock } from '../../../values/time.ts';
import { type Patience, pause } from '../patience.ts';
import type { Auth } from './auth.ts';
import { badAnswer, isPassing, type ServerError, serverFailed } from './failures.ts';
import type { Wire, WireAnswer, WireRequest } from './wire.ts';

/** What {@link restClient} needs. */
export interface RestClientOptions {
  /** The address up to and with `/v1`, and a prefix if there is one. */
  readonly base: URL;
  readonly auth: Auth;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly patience: Patience;
}

export type Query = Readonly<Record<string, string>>;

/** What goes with a request besides. */
export interface Along {
  /** Who asks, where that is not who asks the catalog for everything else. */
  readonly auth?: Auth | undefined;
  /** Under this key the catalog carries a request out once. */
  readonly idempotencyKey?: string | undefined;
}

/** Sends requests to a catalog. Integers beyond 2^53 come and go exactly. */
export interface RestClient {
  readonly server: string;
  /** Asks; a question is asked again, later each time, while the answer may still come. */
  get(path: string, query?: Query, along?: Along): Promise<unknown>;
  /** Commands, once; again only where the catalog said that it did nothing: a new token is needed, or it has too much to do. */
  post(path: string, body: unknown, along?: Along): Promise<unknown>;
  delete(path: string, query?: Query): Promise<void>;
}

const TRIES = 6;
const BACKOFF = { firstMs: 100, longestMs: 10_000 };
/** A longer wait is for the caller to decide. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/** A client for one catalog. */
export function restClient(options: RestClientOptions): RestClient {
  const { base, wire, clock, patience } = options;
  const server = base.origin;

  const send = async (
    method: WireRequest['method'],
    { url, body, auth = options.auth, idempotencyKey }: Along & { readonly url: URL; readonly body?: string },
  ): Promise<WireAnswer> => {
    const request: WireRequest = {
      method,
      url,
      headers: {
        accept: 'application/json',
        'x-iceberg-access-delegation': 'vended-credentials',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
    };
    for (let renewed = false, tried = 0; ; tried += 1) {
      const headers = { ...request.headers, ...(await auth.headers(request)) };
      const answer = await wire({ ...request, headers });
      const { status } = answer;
      if (status < 400) return answer;
      if ((status === 401 || status === 419) && !renewed && (await auth.renew())) {
        renewed = true;
      } else if (
        status === 429 &&
        tried < TRIES &&
        (retryAfter(answer, clock) ?? 0) <= LONGEST_RETRY_AFTER_MS
      ) {
        const asked = retryAfter(answer, clock);
        if (asked === null) await pause(patience, tried, BACKOFF);
        else await patience.sleep(asked);
      } else {
        throw serverFailed(server, errorOf(answer, auth.secrets()));
      }
    }
  };
  const urlOf = (path: string, query: Query = {}): URL => {
    const url = new URL(`${base.href.replace(/\/$/, '')}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  };
  return {
    server,
    get: async (path, query, along) => {
      const url = urlOf(path, query);
      for (let tried = 1; ; tried += 1) {
        try {
          return documentOf(await send('GET', { ...along, url }), server);
        } catch (cause) {
          if (!isPassing(cause) || tried >= TRIES) throw cause;
          if (cause instanceof LetheError && cause.code === 'catalog/busy') throw cause;
        }
        await pause(patience, tried, BACKOFF);
      }
    },
    post: async (path, body, along) => {
      const answer = await send('POST', { ...along, url: urlOf(path), body: stringifyJson(body) });
      return answer.status === 204 ? null : documentOf(answer, server);
    },
    delete: async (path, query) => {
      await send('DELETE', { url: urlOf(path, query) });
    },
  };
}

function documentOf({ status, body }: WireAnswer, server: string): unknown {
  try {
    return parseJson(body);
  } catch {
    const html = /^\s*<(!doctype|html)/i.test(body);
    throw badAnswer(
      server,
      html ? 'answers with a web page' : 'answers with something that is no whole JSON',
      status,
    );
  }
}

/** What an error says, if it is one of the specification's. A web page, or anything else, is not shown. */
function errorOf({ status, body }: WireAnswer, secrets: readonly string[]): ServerError {
  const none = { status, type: null, message: null };
  let document: unknown;
  try {
    document = parseJson(body);
  } catch {
    return none;
  }
  const error = (document as { error?: unknown } | null)?.error;
  if (typeof error !== 'object' || error === null) return none;
  const { type, message } = error as { type?: unknown; message?: unknown };
  return {
    status,
    type: typeof type === 'string' && /^[\w.$]{1,100}$/.test(type) ? type : null,
    message: typeof message === 'string' ? shownMessage(message, secrets) : null,
  };
}

function shownMessage(message: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
  const line = clean.split(/[\r\n]/, 1)[0] ?? '';
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** Milliseconds; the header has seconds or a date. */
function retryAfter({ headers }: WireAnswer, clock: Clock): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - clock.now());
}
