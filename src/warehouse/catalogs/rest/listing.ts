import type { RestClient } from './client.ts';
import { badAnswer, statusOf } from './failures.ts';
import type { RestIdentifier, RestPaths } from './names.ts';

/** Every table of a catalog: namespaces within namespaces, page by page. */
export async function* listTables(client: RestClient, paths: RestPaths): AsyncGenerator<RestIdentifier> {
  for await (const namespace of listNamespaces(client, paths, [])) {
    for await (const { name, namespace: levels } of pagesOf(
      client,
      paths.tables(namespace),
      'identifiers',
      readIdentifier,
    )) {
      yield { namespace: levels ?? namespace, name };
    }
  }
}

/** The namespaces in one, at any depth, each before those in it. */
async function* listNamespaces(
  client: RestClient,
  paths: RestPaths,
  parent: readonly string[],
): AsyncGenerator<readonly string[]> {
  const query = parent.length === 0 ? {} : { parent: paths.parent(parent) };
  for await (const levels of pagesOf(client, paths.namespaces, 'namespaces', readLevels, query)) {
    // A server that does not know `parent` answers with all namespaces again.
    const child =
      levels.length === parent.length + 1 && parent.every((level, index) => levels[index] === level);
    if (!child) continue;
    yield levels;
    yield* listNamespaces(client, paths, levels);
  }
}

async function* pagesOf<T>(
  client: RestClient,
  path: string,
  key: string,
  read: (item: unknown) => T | null,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<T> {
  const met = new Set<string>();
  // An empty token says that pages are understood.
  for (let token: string | null = ''; token !== null; ) {
    const page = await pageOf(client, path, { ...query, pageToken: token });
    if (page === null) return;
    const items = page[key];
    if (!Array.isArray(items)) throw badAnswer(client.server, `answers without ${key}`);
    for (const item of items) {
      const known = read(item);
      if (known === null) throw badAnswer(client.server, `answers with ${key} that cannot be read`);
      yield known;
    }
    const next = page['next-page-token'];
    token = typeof next === 'string' && next !== '' ? next : null;
    if (token !== null && met.has(token))
      throw badAnswer(client.server, `gives the same page of ${key} again`);
    if (token !== null) met.add(token);
  }
}

/** Null where the namespace was dropped in the meantime, or the catalog has none within others. */
async function pageOf(
  client: RestClient,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const page = await client.get(path, query);
    if (typeof page !== 'object' || page === null) throw badAnswer(client.server, 'answers with no page');
    return page as Record<string, unknown>;
  } catch (cause) {
    if (isNoSuchNamespace(cause) || ('parent' in query && isNotNested(cause))) return null;
    throw cause;
  }
}

/** Only what the catalog itself says: a 404 from something before it would make a table seem gone. */
function isNoSuchNamespace(cause: unknown): boolean {
  return (
    statusOf(cause) === 404 &&
    (cause as { data: { type?: unknown } }).data.type === 'NoSuchNamespaceException'
  );
}

/**
 * What catalogs without nested namespaces say to the question for those in one: the same question without `parent` was answered just
 * before, so that it is `parent` that they refuse. Whoever may not ask (401, 403), or asks a catalog that fails (500), gets an error.
 */
function isNotNested(cause: unknown): boolean {
  return NOT_NESTED.has(statusOf(cause) ?? 0);
}

const NOT_NESTED = new Set([400, 405, 406, 501]);

function readLevels(item: unknown): readonly string[] | null {
  return Array.isArray(item) && item.length > 0 && item.every((level) => typeof level === 'string')
    ? item
    : null;
}

function readIdentifier(
  item: unknown,
): { readonly namespace: readonly string[] | null; readonly name: string } | null {
  const { namespace, name } = (item ?? {}) as { namespace?: unknown; name?: unknown };
  return typeof name === 'string' && name !== '' ? { namespace: readLevels(namespace), name } : null;
}
