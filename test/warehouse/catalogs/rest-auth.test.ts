import { afterEach, describe, expect, test } from 'vitest';
import type { Catalog } from '../../../src/warehouse/catalog.ts';
import { sigv4 } from '../../../src/warehouse/catalogs/rest/sigv4.ts';
import { newTable } from '../../../src/warehouse/iceberg/metadata/create.ts';
import { seededRandom } from '../../support/lake.ts';
import { failure, type StubOptions, sendAnswer } from '../../support/rest-catalog.ts';
import { type RestAtHand, restAtHand } from './rest-under-test.ts';

const oauth = { clientId: 'me', clientSecret: 'hush-hush', expiresIn: 3600 };
const asked = { clientId: 'me', clientSecret: 'hush-hush' };

let at: RestAtHand;
async function start(options: Partial<StubOptions> = {}): Promise<void> {
  at = await restAtHand(options);
}
afterEach(() => at.close());

const tokensAsked = (): number => at.stub.requests.filter(({ path }) => path === '/oauth/tokens').length;

/** The error of work that must fail, and everything that can be seen of it. */
async function faultOf(work: Promise<unknown>): Promise<{ code: string; seen: string }> {
  const fault = (await work.then(
    () => undefined,
    (error: unknown) => error,
  )) as Error & { code: string };
  expect(fault).toBeInstanceOf(Error);
  const seen: string[] = [];
  for (let cause: unknown = fault; cause instanceof Error; cause = cause.cause)
    seen.push(cause.message, cause.stack ?? '', JSON.stringify(cause));
  return { code: fault.code, seen: seen.join('\n') };
}

describe('client credentials', () => {
  test('give a token, once for many who ask, and another before it ends', async () => {
    await start({ oauth });
    const catalog = await at.open({ oauth: asked });
    await Promise.all([catalog.list(), catalog.list(), catalog.list()]);
    expect(tokensAsked()).toBe(1);
    expect(at.stub.requests.at(-1)?.headers.authorization).toBe('Bearer token-1');
    at.clock.at += 3_530_000;
    await catalog.list();
    expect(tokensAsked()).toBe(1);
    at.clock.at += 20_000;
    await Promise.all([catalog.list(), catalog.list()]);
    expect(tokensAsked()).toBe(2);
    expect(at.stub.requests.at(-1)?.headers.authorization).toBe('Bearer token-2');
  });

  test('give another token where the first is not taken any more, also in the middle of a commit', async () => {
    await start({ oauth });
    const catalog = await at.open({ oauth: asked });
    const definition = { columns: [{ name: 'id', type: 'long' }] };
    const random = seededRandom(8);
    await catalog.create('a.t', newTable({ table: 'a.t', definition, location: '', now: 1, random }));
    at.stub.endTokens();
    const update = { action: 'set-properties', updates: { a: 'b' } } as const;
    const { metadata } = await catalog.commit('a.t', { requirements: [], updates: [update] });
    expect(metadata.properties.a).toBe('b');
    expect(tokensAsked()).toBe(2);
  });

  test('say what they are for', async () => {
    await start({ oauth });
    await at.open({ oauth: { ...asked, scope: 'lake:write', audience: 'lake', resource: 'https://lake' } });
    const [request] = at.stub.requests;
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'me',
      client_secret: 'hush-hush',
      scope: 'lake:write',
      audience: 'lake',
      resource: 'https://lake',
    });
  });

  test('that are wrong are a typed error that shows no secret, though the server echoes it', async () => {
    await start({ oauth });
    const { code, seen } = await faultOf(at.open({ oauth: { ...asked, clientSecret: 'wrong-secret' } }));
    expect(code).toBe('catalog/unauthorized');
    expect(seen).toContain('invalid_client');
    expect(seen).not.toContain('wrong-secret');
  });

  test('that the catalog never takes end in an error, not in a circle', async () => {
    await start({ oauth });
    const catalog = await at.open({ oauth: asked });
    at.stub.fault = ({ path }) => {
      if (path !== '/oauth/tokens') at.stub.endTokens();
      return 'pass';
    };
    const { code, seen } = await faultOf(catalog.list());
    expect(code).toBe('catalog/unauthorized');
    expect(seen).not.toMatch(/token-\d/);
    expect(tokensAsked()).toBe(2);
  });
});

describe('a bearer token', () => {
  test('is sent as it is', async () => {
    await start({ token: 'secret-token' });
    expect(await (await at.open({ token: 'secret-token' })).list()).toEqual([]);
  });

  test('that has ended is a typed error that does not show it, though the server does', async () => {
    await start();
    const catalog = await at.open({ token: 'secret-token' });
    at.stub.fault = (_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(
        '{"error":{"message":"secret-token has ended","type":"NotAuthorizedException","code":401}}',
      );
      return 'handled';
    };
    const { code, seen } = await faultOf(catalog.load('a.t'));
    expect(code).toBe('catalog/unauthorized');
    expect(seen).toContain('*** has ended');
    expect(seen).not.toContain('secret-token');
  });

  test.each(['', 'with blank', 'secret-token\n', 'secret-token\r\nx-evil: 1'])(
    'that can be no token is refused before it is sent',
    async (token) => {
      await start();
      const { code, seen } = await faultOf(at.open({ token }));
      expect(code).toBe('catalog/token');
      expect(seen).not.toContain('secret-token');
      expect(at.stub.requests).toEqual([]);
    },
  );
});

describe('the address', () => {
  test.each([
    'inside.example',
    'ftp://inside.example',
    'https://me:hunter2@inside.example',
    'https://inside.example?token=hunter2',
  ])('%s is refused without being shown', async (uri) => {
    await start();
    const { code, seen } = await faultOf(at.open({ uri }));
    expect(code).toBe('catalog/url');
    expect(seen).not.toMatch(/hunter2|inside\.example/);
  });

  test('may end in a slash or in /v1', async () => {
    await start();
    for (const end of ['', '/', '/v1', '/v1/']) {
      expect(await (await at.open({ uri: `${at.stub.uri}${end}` })).list()).toEqual([]);
    }
  });
});

describe('the configuration', () => {
  test('asks for the warehouse; what the catalog overrides wins over the setting, its defaults do not', async () => {
    await start({ prefix: 'theirs' });
    await at.open({ warehouse: 'my lake', prefix: 'mine' });
    expect(at.stub.requests[0]?.query.get('warehouse')).toBe('my lake');
    expect(await (await at.open({ prefix: 'mine' })).list()).toEqual([]);
    expect(at.stub.requests.at(-1)?.path).toBe('/theirs/namespaces');
    await at.close();
    await start({ config: { defaults: { prefix: 'theirs' } } });
    await expect((await at.open({ prefix: 'mine' })).list()).rejects.toMatchObject({
      code: 'catalog/not-found',
    });
    expect(at.stub.requests.at(-1)?.path).toBe('/mine/namespaces');
  });

  test.each([
    [{ uri: 'https://elsewhere.example' }, 'catalog/redirect'],
    // Without the region and the service that the setting gives.
    [{ 'rest.sigv4-enabled': 'true' }, 'catalog/unsupported'],
    [{ prefix: '../../admin' }, 'catalog/bad-answer'],
    [{ 'namespace-separator': '%' }, 'catalog/bad-answer'],
  ])('%j is refused by name', async (overrides, code) => {
    await start({ config: { overrides } });
    await expect(at.open({ token: 'tell-nobody' })).rejects.toMatchObject({ code });
  });

  test('without commits makes every table one that is only read', async () => {
    await start({ config: { endpoints: ['GET /v1/{prefix}/namespaces/{namespace}/tables/{table}'] } });
    const catalog = await at.open();
    const definition = { columns: [{ name: 'id', type: 'long' }] };
    await catalog.create(
      'a.t',
      newTable({ table: 'a.t', definition, location: '', now: 1, random: seededRandom(1) }),
    );
    expect((await catalog.load('a.t')).refusal).toMatchObject({ code: 'read-only-catalog' });
    await expect(catalog.commit('a.t', { requirements: [], updates: [] })).rejects.toMatchObject({
      kind: 'refused',
      code: 'iceberg/read-only-catalog',
    });
  });
});

describe('a token for one table', () => {
  const update = { action: 'set-properties', updates: { a: 'b' } } as const;
  const change = { requirements: [], updates: [update] };
  const startWith = async (given: () => string): Promise<Catalog> => {
    await start({
      token: 'secret-token',
      tableToken: given,
      vended: () => ({ config: { token: given() } }),
    });
    const catalog = await at.open({ token: 'secret-token' });
    const definition = { columns: [{ name: 'id', type: 'long' }] };
    const random = seededRandom(8);
    await catalog.create('a.t', newTable({ table: 'a.t', definition, location: '', now: 1, random }));
    return catalog;
  };
  const asked = (): readonly (string | undefined)[] =>
    at.stub.requests
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/t'))
      .map(({ headers }) => headers.authorization);

  test('goes with commits to it, the newest that was given', async () => {
    let number = 1;
    const catalog = await startWith(() => `table-token-${number}`);
    await catalog.commit('a.t', change);
    number = 2;
    await catalog.load('a.t');
    await catalog.commit('a.t', change);
    expect(asked()).toEqual(['Bearer table-token-1', 'Bearer table-token-2']);
    expect(at.stub.requests.at(-2)?.headers.authorization).toBe('Bearer secret-token');
  });

  test('that has ended gives way to the catalog’s own, and stands in no message', async () => {
    let number = 1;
    const catalog = await startWith(() => `table-token-${number}`);
    number = 2;
    await catalog.commit('a.t', change);
    expect(asked()).toEqual(['Bearer table-token-1', 'Bearer secret-token']);
    at.stub.fault = ({ headers }, response) => {
      sendAnswer(response, failure(403, 'ForbiddenException', `${headers.authorization} may not`));
      return 'handled';
    };
    const { code, seen } = await faultOf(catalog.commit('a.t', change));
    expect(code).toBe('catalog/forbidden');
    expect(seen).toContain('*** may not');
    expect(seen).not.toMatch(/table-token|secret-token/);
  });
});

describe('a signature of AWS', () => {
  const keys = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    sessionToken: 'tok',
  };
  const signing = { region: 'eu-west-1', service: 'glue', credentials: keys };
  const headers = { accept: 'application/json' };
  const glue = 'https://glue.eu-west-1.amazonaws.com/iceberg/v1';

  // As botocore 1.44.8 signs them (`SigV4Auth(credentials, 'glue', 'eu-west-1').add_auth`) at this second.
  test.each([
    {
      method: 'GET',
      url: `${glue}/catalogs/123/namespaces/a%1Fb/tables?pageToken=&parent=a%1Fb`,
      signature: '9b32f443f93c4999739b170bf60a42e38c1cb28c39726c3ae59ddef6cbc3895d',
    },
    {
      method: 'POST',
      url: `${glue}/x`,
      body: '{"a":1}',
      signature: '7ff173fe15ddcfe66e782c1dee499dabdbf6fc4275b4dc97377ac917e918783c',
    },
  ] as const)('of $method is that of another implementation', async ({ signature, url, ...request }) => {
    await start();
    const auth = await sigv4(signing, { now: () => 1_700_000_000_000 });
    const signed = await auth.headers({ ...request, url: new URL(url), headers });
    expect(signed).toMatchObject({ 'x-amz-date': '20231114T221320Z', 'x-amz-security-token': 'tok' });
    expect(signed.authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20231114/eu-west-1/glue/aws4_request, SignedHeaders=accept;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=${signature}`,
    );
  });

  test('goes with every request to a catalog that wants it', async () => {
    await start({ config: { overrides: { 'rest.sigv4-enabled': 'true' } } });
    await (await at.open({ sigv4: signing })).list();
    expect(at.stub.requests.map((request) => request.headers.authorization?.slice(0, 41))).toEqual(
      Array.from({ length: 2 }, () => 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/2'),
    );
  });

  test('beside a token is refused', async () => {
    await start();
    await expect(at.open({ sigv4: signing, token: 'a' })).rejects.toMatchObject({ code: 'catalog/token' });
  });
});
