import { RefusedError } from '../../../errors.ts';
import { badAnswer, unsupported } from './failures.ts';

/** What a catalog says about itself when it is first asked, merged with what the setting says. */
export interface CatalogConfig {
  /** Defaults, then the setting, then what the catalog overrides. */
  readonly properties: Readonly<Record<string, string>>;
  /** The path after `/v1`; empty without one. */
  readonly prefix: string;
  /** What stands between the levels of a namespace in a path. */
  readonly separator: string;
  /** Whether it carries out once what is sent more than once under one `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** False where the catalog says what it offers, and committing is not in it. */
  readonly commits: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const COMMIT = 'POST /v1/{prefix}/namespaces/{namespace}/tables/{table}';

/**
 * Reads the answer of the `config` endpoint.
 *
 * @throws FailedError `catalog/bad-answer`; RefusedError `catalog/redirect` where it sends to another host, `catalog/unsupported`
 */
export function configOf(
  document: unknown,
  {
    server,
    prefix,
    signs = false,
  }: { readonly server: string; readonly prefix?: string | undefined; readonly signs?: boolean },
): CatalogConfig {
  if (typeof document !== 'object' || document === null)
    throw badAnswer(server, 'answers with no configuration');
  const { defaults, overrides, endpoints } = document as Json;
  const properties: Readonly<Record<string, string>> = {
    ...texts(defaults),
    ...(prefix === undefined ? {} : { prefix }),
    ...texts(overrides),
  };
  checkHost(properties.uri, server);
  if (properties['rest.sigv4-enabled']?.toLowerCase() === 'true' && !signs) {
    throw unsupported(server, 'wants requests signed by AWS Signature 4', {
      remedy:
        'Give `sigv4` with the catalog: the region, and the service as AWS names it (glue, s3tables, execute-api)',
    });
  }
  return {
    properties,
    prefix: prefixOf(properties.prefix ?? '', server),
    idempotent: typeof (document as Json)['idempotency-key-lifetime'] === 'string',
    separator: separatorOf(properties['namespace-separator'], server),
    commits: !Array.isArray(endpoints) || endpoints.length === 0 || endpoints.includes(COMMIT),
  };
}

/** A part of a path that stays where it is put. */
function prefixOf(written: string, server: string): string {
  const prefix = written.replace(/^\/+|\/+$/g, '');
  if (!/[?#\\]/.test(prefix) && !prefix.split('/').some((part) => part === '.' || part === '..'))
    return prefix;
  throw badAnswer(server, 'names a prefix that is no part of a path');
}

/** The specification writes it as it stands in a path: `%1F`. */
function separatorOf(written: string | undefined, server: string): string {
  if (written === undefined || written === '') return '\u001f';
  try {
    return decodeURIComponent(written);
  } catch {
    throw badAnswer(server, 'names a namespace-separator that cannot be read');
  }
}

/** A catalog may not send what proves who asks to another host. */
function checkHost(uri: string | undefined, server: string): void {
  if (uri === undefined) return;
  const origin = URL.canParse(uri) ? new URL(uri).origin : 'nowhere';
  if (origin === server) return;
  throw new RefusedError('catalog/redirect', `The catalog at ${server} sends to ${origin}`, {
    remedy: 'Nothing was sent there. If that is the catalog, name it in `uri`',
    data: { catalog: server, to: origin },
  });
}

function texts(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
