import { answerTooLarge, noAnswer, redirected, unreachable } from './failures.ts';

/** What is asked of a server. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'HEAD';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What it answered, whatever it means. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends one request once. */
export type Wire = (request: WireRequest) => Promise<WireAnswer>;

/** Metadata of a table with very many snapshots comes to tens of megabytes; more than this is no answer. */
const LARGEST_BODY = 256 * 1024 * 1024;
const LARGEST_ERROR = 64 * 1024;
const TIMEOUT_MS = 60_000;
const MOST_REDIRECTS = 3;

/** How long to wait, and how much to read at most. */
export interface WireLimits {
  readonly timeoutMs?: number;
  readonly largestBody?: number;
}

/**
 * Requests over HTTP. Redirects stay on the host that was named: what proves who asks is sent to no other.
 *
 * The wire throws FailedError `catalog/unreachable` where nothing was sent, `catalog/no-answer` where the server may have done what it
 * was asked for, `catalog/answer-too-large`, and RefusedError `catalog/redirect`.
 */
export function httpWire({ timeoutMs = TIMEOUT_MS, largestBody = LARGEST_BODY }: WireLimits = {}): Wire {
  const once = async (request: WireRequest, url: URL): Promise<WireAnswer> => {
    const shown = url.origin;
    let response: Response;
    try {
      response = await fetch(url, {
        method: request.method,
        headers: request.headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(request.body === undefined ? {} : { body: request.body }),
      });
    } catch (cause) {
      const code = networkCode(cause);
      throw NOT_SENT.has(code) || /^(ERR_TLS|CERT|UNABLE|SELF_SIGNED|DEPTH_ZERO)/.test(code)
        ? unreachable(shown, code)
        : noAnswer(shown, code);
    }
    const { status, headers } = response;
    const largest = status < 400 ? largestBody : LARGEST_ERROR;
    return { status, headers, body: await textOf(response, shown, largest) };
  };
  return async (request) => {
    let url = request.url;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await once(request, url);
      if (answer.status < 300 || answer.status > 399 || answer.status === 304) return answer;
      url = redirectOf(request, url, answer, redirects);
    }
  };
}

/** Where a redirect leads, if it may be followed: by a question, to the same host. */
function redirectOf(request: WireRequest, from: URL, { status, headers }: WireAnswer, followed: number): URL {
  const location = headers.get('location') ?? '';
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
  const kept = status === 307 || status === 308 || request.method === 'GET' || request.method === 'HEAD';
  if (to === null || to.origin !== from.origin || !kept || followed >= MOST_REDIRECTS) {
    throw redirected(from.origin, to === null ? 'nowhere' : to.origin, status);
  }
  return to;
}

async function textOf(response: Response, shown: string, largest: number): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > largest) break;
      chunks.push(value);
    }
  } catch (cause) {
    throw noAnswer(shown, networkCode(cause));
  }
  if (size > largest) {
    await reader.cancel().catch(() => {});
    if (response.status < 400) throw answerTooLarge(shown, largest);
    return '';
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return new TextDecoder().decode(whole);
}

/** The connection was never made, so nothing was asked. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function networkCode(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  if (cause.name === 'TimeoutError') return 'timeout';
  if (cause instanceof AggregateError && cause.errors.length > 0) return networkCode(cause.errors[0]);
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return cause.cause === undefined ? 'connection ended' : networkCode(cause.cause);
}
