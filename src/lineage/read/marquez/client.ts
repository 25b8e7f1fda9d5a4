import { FailedError, InputError } from '../../../errors.ts';
import { isObject } from '../../../values/is-object.ts';
import { parseJson } from '../../../values/json.ts';
import type { Private } from '../../../values/private.ts';

/** The port to the network: `globalThis.fetch` is one. */
export type Fetch = (
  url: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly redirect: 'manual';
    readonly signal?: AbortSignal;
  },
) => Promise<{ readonly status: number; text(): Promise<string> }>;

/** How a service is reached. */
export interface Access {
  /** `https://marquez.example.com`, with the path before `/api` where it has one. */
  readonly url: string;
  readonly fetch: Fetch;
  /** Sent as a bearer token, and to this address only. */
  readonly token?: Private<string>;
  /** Waits before a request is sent again; not at all where left out. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** One request for events: `before` is exclusive, `after` inclusive. */
export interface PageRequest {
  readonly after: string;
  readonly before: string;
  readonly sortDirection: 'asc' | 'desc';
  readonly limit: number;
}

/** Waits before the second, third and fourth try, in milliseconds. */
const WAITS = [500, 2000, 8000];

/**
 * Reads pages of `GET /api/v1/events/lineage`. A server that is down, busy or sends half a page is asked again; a redirect is
 * never followed, because the token is for one address. No message holds the token or what the server sent.
 */
export class MarquezClient {
  /** The address as messages show it. */
  readonly name: string;
  readonly #access: Access;
  readonly #endpoint: string;

  /** @throws InputError `lineage/api-address` for an address that is none, holds credentials, or would send a token in the clear */
  constructor(access: Access) {
    const url = addressOf(access);
    this.#access = access;
    this.name = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
    this.#endpoint = `${this.name}/api/v1/events/lineage`;
  }

  /**
   * The events of one page.
   *
   * @throws FailedError `lineage/api-unreachable`, `lineage/api-denied`, `lineage/api-redirect`, `lineage/api-answer`
   */
  async page({ limit, ...request }: PageRequest): Promise<readonly unknown[]> {
    const query = new URLSearchParams({ ...request, limit: String(limit), offset: '0' });
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#ask(`${this.#endpoint}?${query}`);
      if ('events' in answer) return answer.events;
      this.#access.signal?.throwIfAborted();
      if (answer.final || attempt === WAITS.length) throw answer.error;
      await this.#access.wait?.(WAITS[attempt]!);
    }
  }

  async #ask(url: string): Promise<{ readonly events: readonly unknown[] } | Trouble> {
    const { fetch, token, signal } = this.#access;
    const headers = {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` }),
    };
    let status: number;
    let body: string;
    try {
      const response = await fetch(url, {
        headers,
        redirect: 'manual',
        ...(signal === undefined ? {} : { signal }),
      });
      status = response.status;
      body = status >= 200 && status < 300 ? await response.text() : '';
    } catch {
      // What the network says can quote the request, so it is not passed on.
      return this.#trouble('unreachable', 'did not answer', 'Is the address right, and is the server up?');
    }
    if (status < 200 || status >= 300) return this.#refused(status);
    const events = eventsIn(body);
    return events === null ? this.#notEvents() : { events };
  }

  #notEvents(): Trouble {
    const what = 'sent a page that is not whole, or no page of events';
    return this.#trouble('answer', what, 'Is it a Marquez server? A proxy before it may cut long answers');
  }

  #refused(status: number): Trouble {
    const what = `answered with status ${status}`;
    if (status === 401 || status === 403)
      return {
        ...this.#trouble('denied', what, 'Check the token that the configuration names'),
        final: true,
      };
    if ((status >= 300 && status < 400) || status === 0) {
      const remedy = 'Name the address that it redirects to; it is not followed, because a token is for one';
      return { ...this.#trouble('redirect', 'redirects elsewhere', remedy), final: true };
    }
    if (status >= 500 || status === 429 || status === 408)
      return this.#trouble('unreachable', what, 'Try again when the server is well');
    return {
      ...this.#trouble('answer', what, 'Is it a Marquez server, and is its address without /api?'),
      final: true,
    };
  }

  #trouble(code: string, what: string, remedy: string): Trouble {
    const error = new FailedError(`lineage/api-${code}`, `${this.name} ${what}`, {
      remedy,
      data: { address: this.name },
    });
    return { error, final: false };
  }
}

/** What went wrong, and whether asking again is of no use. */
interface Trouble {
  readonly error: FailedError;
  readonly final: boolean;
}

function eventsIn(body: string): readonly unknown[] | null {
  try {
    const page = parseJson(body);
    return isObject(page) && Array.isArray(page.events) ? page.events : null;
  } catch {
    return null;
  }
}

function addressOf({ url: text, token }: Access): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw wrongAddress('is none');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrongAddress('is neither http nor https');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw wrongAddress('holds credentials or a query');
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (token !== undefined && url.protocol === 'http:' && !local)
    throw wrongAddress('would send the token unencrypted');
  return url;
}

/** The address itself may hold a secret, so it is not shown. */
function wrongAddress(what: string): InputError {
  return new InputError('lineage/api-address', `The address of the event API ${what}`, {
    remedy: 'Write https://HOST[:PORT][/PATH], and name the token by an environment variable',
  });
}
