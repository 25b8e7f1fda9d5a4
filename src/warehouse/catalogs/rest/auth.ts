import { FailedError, InputError } from '../../../errors.ts';
import { parseJson } from '../../../values/json.ts';
import type { Clock, Instant } from '../../../values/time.ts';
import type { ClientCredentials } from '../settings.ts';
import { badAnswer, serverFailed } from './failures.ts';
import type { Wire, WireRequest } from './wire.ts';

/** Proves to a catalog who asks. */
export interface Auth {
  /** The headers that prove it, for one request. */
  headers(request: WireRequest): Promise<Readonly<Record<string, string>>>;
  /** Called when the catalog does not take it any more. False where there is no other. */
  renew(): Promise<boolean>;
  /** Texts that must stand in no message. */
  secrets(): readonly string[];
}

/** Asks as nobody. */
export const nobody: Auth = { headers: async () => ({}), renew: async () => false, secrets: () => [] };

/**
 * A token that somebody else made.
 *
 * @throws InputError `catalog/token` for what cannot be a token; it is not shown
 */
export function bearer(token: string): Auth {
  const headers = { authorization: `Bearer ${checked(token)}` };
  return { headers: async () => headers, renew: async () => false, secrets: () => [token] };
}

/** A token that a catalog gave for one table (`token` in its `config`); once it is not taken any more, who asks for the others. */
export function tableToken(token: string, others: Auth): Auth {
  let own: Auth | undefined = bearer(token);
  return {
    headers: (request) => (own ?? others).headers(request),
    renew: async () => {
      if (own === undefined) return others.renew();
      own = undefined;
      return true;
    },
    secrets: () => [token, ...others.secrets()],
  };
}

/** What {@link clientCredentials} needs. */
export interface ClientCredentialsOptions {
  readonly credentials: ClientCredentials;
  readonly url: URL;
  readonly wire: Wire;
  readonly clock: Clock;
}

/** Before a token ends, another is fetched: this long before, or a tenth of its life where that is shorter. */
const EARLY_MS = 60_000;

/** Tokens by OAuth2 client credentials (RFC 6749, section 4.4), one at a time however many ask. */
export function clientCredentials({ credentials, url, wire, clock }: ClientCredentialsOptions): Auth {
  let token: { readonly text: string; readonly until: Instant } | undefined;
  let fetching: Promise<string> | undefined;
  const fetchToken = async (): Promise<string> => {
    const asked = clock.now();
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      scope: credentials.scope ?? 'catalog',
      ...(credentials.audience === undefined ? {} : { audience: credentials.audience }),
      ...(credentials.resource === undefined ? {} : { resource: credentials.resource }),
    });
    const answer = await wire({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: body.toString(),
    });
    const document = documentOf(answer.body);
    if (answer.status !== 200) throw refusedBy(url.origin, answer.status, document.error);
    const { access_token: text, expires_in: seconds } = document;
    if (typeof text !== 'string')
      throw badAnswer(url.origin, 'answers without an access_token', answer.status);
    const life = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY;
    token = { text: checked(text), until: asked + life - Math.min(EARLY_MS, life / 10) };
    return token.text;
  };
  const fresh = (): Promise<string> => {
    fetching ??= fetchToken().finally(() => {
      fetching = undefined;
    });
    return fetching;
  };
  return {
    headers: async () => {
      const valid = token !== undefined && clock.now() < token.until ? token.text : await fresh();
      return { authorization: `Bearer ${valid}` };
    },
    renew: async () => {
      token = undefined;
      await fresh();
      return true;
    },
    secrets: () => [credentials.clientSecret, ...(token === undefined ? [] : [token.text])],
  };
}

function documentOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const document = parseJson(body);
    return typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** RFC 6749, section 5.2: `error` is one of few words. Its description is not shown. */
function refusedBy(server: string, status: number, error: unknown): FailedError {
  if (status >= 500 || status === 429) return serverFailed(server, { status, type: null, message: null });
  const word = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : `status ${status}`;
  return new FailedError(
    'catalog/unauthorized',
    `${server} gives no token for these client credentials (${word})`,
    {
      remedy:
        'Nothing was changed by this step. Check the client id, its secret, the scope and the token endpoint',
      data: { catalog: server, status, error: word },
    },
  );
}

/** A header takes no line breaks; the runtime's own error would quote the token. */
function checked(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new InputError('catalog/token', 'The token of the catalog is empty, or holds blanks or line breaks', {
    remedy: 'Give the token alone, without quotes, `Bearer` or a line break at its end',
  });
}
