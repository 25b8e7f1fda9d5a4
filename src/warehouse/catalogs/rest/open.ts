import { InputError } from '../../../errors.ts';
import type { Catalog } from '../../catalog.ts';
import type { CatalogParts } from '../parts.ts';
import { Places, placeOf } from '../places.ts';
import type { RestCatalogSetting } from '../settings.ts';
import { type Auth, bearer, clientCredentials, nobody } from './auth.ts';
import { restCatalog } from './catalog.ts';
import { restClient } from './client.ts';
import { configOf } from './config.ts';
import { httpWire, type Wire, type WireLimits } from './wire.ts';

/**
 * Opens a catalog behind a service, and asks it how it wants to be used.
 *
 * @throws InputError `catalog/url`, `catalog/token`; FailedError `catalog/unreachable`, `catalog/unauthorized`, `catalog/bad-answer` and
 *   the like; RefusedError `catalog/redirect`, `catalog/unsupported`
 */
export async function openRestCatalog(
  setting: RestCatalogSetting,
  { storage, clock, patience, handedOut }: CatalogParts,
  limits: WireLimits = {},
): Promise<Catalog> {
  const base = new URL(`${addressOf(setting.uri, 'uri').href.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`);
  const wire = httpWire(limits);
  const auth = await authOf(setting, { base, wire, clock });
  const client = restClient({ base, auth, wire, clock, patience });
  const { warehouse, prefix, locations = [] } = setting;
  const document = await client.get('/config', warehouse === undefined ? {} : { warehouse });
  return restCatalog({
    client,
    auth,
    config: configOf(document, { server: client.server, prefix, signs: setting.sigv4 !== undefined }),
    clock,
    storage,
    places: new Places(storage, locations.map(placeOf)),
    handedOut,
    patience,
  });
}

async function authOf(
  { token, oauth, sigv4: signing }: RestCatalogSetting,
  { base, wire, clock }: { readonly base: URL; readonly wire: Wire; readonly clock: CatalogParts['clock'] },
): Promise<Auth> {
  if ([token, oauth, signing].filter((one) => one !== undefined).length > 1) {
    throw new InputError(
      'catalog/token',
      'A catalog is given more than one of a token, client credentials and sigv4',
      {
        remedy:
          'Give one: a token is taken as it is, with client credentials one is fetched, sigv4 signs each request',
      },
    );
  }
  if (signing !== undefined) {
    const { sigv4 } = await import('./sigv4.ts');
    return sigv4(signing, clock);
  }
  if (oauth !== undefined) {
    const url =
      oauth.tokenUrl === undefined
        ? new URL(`${base.href}/oauth/tokens`)
        : addressOf(oauth.tokenUrl, 'tokenUrl');
    return clientCredentials({ credentials: oauth, url, wire, clock });
  }
  return token === undefined ? nobody : bearer(token);
}

/** An http or https address; one that cannot be read, or holds a password, is not shown. */
function addressOf(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const fault =
    url === null || !/^https?:$/.test(url.protocol)
      ? 'is no http or https address'
      : url.username !== '' || url.password !== ''
        ? 'holds a user or a password'
        : url.search !== '' || url.hash !== ''
          ? 'holds a query or a fragment'
          : null;
  if (url !== null && fault === null) return url;
  throw new InputError('catalog/url', `The ${what} of the REST catalog ${fault}`, {
    remedy:
      'Write the address alone, such as https://catalog.example/api/catalog; who asks is said apart from it',
    data: { what },
  });
}
