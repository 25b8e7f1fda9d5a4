import type { RestClient } from './client.ts';
import { badAnswer, statusOf } from './failures.ts';
import type { RestIdentifier, RestPaths } from './names.ts';

/** Pages in a row that say nothing new, and levels of namespaces: a catalog with more of them does not come to an end. */
const MOST_STALE_PAGES = 100;
const MOST_LEVELS = 64;

/**
 * Every table of a catalog, each once: namespaces within namespaces, page by page.
 *
 * @throws FailedError `catalog/bad-answer` for what cannot be read or does not end, and whatever asking throws: a table could be missed
 */
export async function* listTables(client: RestClient, paths: RestPaths): AsyncGenerator<RestIdentifier> {
  for await (const namespace of new Namespaces(client, paths).all()) {
    const pages = pagesOf({
      client,
      path: paths.tables(namespace),
      key: 'identifiers',
      read: readIdentifier,
    });
    for await (const { name, namespace: levels } of pages) yield { namespace: levels ?? namespace, name };
  }
}

class Namespaces {
  readonly #client: RestClient;
  readonly #paths: RestPaths;
  /** Whether a question for the namespaces in one was answered. */
  #nested = false;
  /** What the catalog said to the first such question that it refused. */
  #refusal: unknown;

  constructor(client: RestClient, paths: RestPaths) {
    this.#client = client;
    this.#paths = paths;
  }

  /**
   * Every namespace. A catalog that has none within others refuses the question for them, wherever it is asked; one that refuses it here
   * and answers it there keeps something back.
   */
  async *all(): AsyncGenerator<readonly string[]> {
    yield* this.#in([]);
    if (this.#nested && this.#refusal !== undefined) throw this.#refusal;
  }

  /** The namespaces in one, at any depth, each before those in it. */
  async *#in(parent: readonly string[]): AsyncGenerator<readonly string[]> {
    if (parent.length === MOST_LEVELS)
      throw badAnswer(this.#client.server, `has namespaces of more than ${MOST_LEVELS} levels`);
    for await (const levels of this.#children(parent)) {
      // A server that does not know `parent` answers with all namespaces again.
      const child =
        levels.length === parent.length + 1 && parent.every((level, index) => levels[index] === level);
      if (!child) continue;
      yield levels;
      yield* this.#in(levels);
    }
  }

  async *#children(parent: readonly string[]): AsyncGenerator<readonly string[]> {
    const inside = parent.length > 0;
    let first = true;
    try {
      const { namespaces: path } = this.#paths;
      const query = inside ? { parent: this.#paths.parent(parent) } : {};
      const asked = { client: this.#client, path, key: 'namespaces', read: readLevels, query };
      for await (const levels of pagesOf(asked)) {
        if (inside) this.#nested = true;
        first = false;
        yield levels;
      }
      if (inside) this.#nested = true;
    } catch (cause) {
      if (!inside || !first || !NOT_NESTED.has(statusOf(cause) ?? 0)) throw cause;
      this.#refusal ??= cause;
    }
  }
}

/**
 * What catalogs without nested namespaces say to the question for those in one. Whoever may not ask (401, 403), or asks a catalog that
 * fails (500), gets an error.
 */
const NOT_NESTED = new Set([400, 405, 406, 501]);

interface Asked<T> {
  readonly client: RestClient;
  readonly path: string;
  /** Under which the items of a page stand. */
  readonly key: string;
  readonly read: (item: unknown) => T | null;
  readonly query?: Readonly<Record<string, string>>;
}

/** The items of all pages, each once: where something is made or dropped meanwhile, one can stand on two. */
async function* pagesOf<T>({ client, path, key, read, query = {} }: Asked<T>): AsyncGenerator<T> {
  const met = new Set<string>();
  let stale = 0;
  // An empty token says that pages are understood.
  for (let token: string | null = ''; token !== null; ) {
    const page = await pageOf(client, path, { ...query, pageToken: token });
    if (page === null) return;
    const items = page[key];
    if (!Array.isArray(items)) throw badAnswer(client.server, `answers without ${key}`);
    const before = met.size;
    for (const item of items) {
      const known = read(item);
      if (known === null) throw badAnswer(client.server, `answers with ${key} that cannot be read`);
      const text = JSON.stringify(known);
      if (!met.has(text)) yield known;
      met.add(text);
    }
    stale = met.size === before ? stale + 1 : 0;
    if (stale > MOST_STALE_PAGES) throw badAnswer(client.server, `gives pages of ${key} without end`);
    const next = page['next-page-token'];
    token = typeof next === 'string' && next !== '' ? next : null;
  }
}

/** Null where the namespace was dropped in the meantime. */
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
    if (isNoSuchNamespace(cause)) return null;
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

function readLevels(item: unknown): readonly string[] | null {
  return Array.isArray(item) && item.length > 0 && item.every(isName) ? item : null;
}

/** Half of a character can stand in no address. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/\p{Surrogate}/u.test(value);
}

function readIdentifier(
  item: unknown,
): { readonly namespace: readonly string[] | null; readonly name: string } | null {
  const { namespace, name } = (item ?? {}) as { namespace?: unknown; name?: unknown };
  return isName(name) ? { namespace: readLevels(namespace), name } : null;
}
