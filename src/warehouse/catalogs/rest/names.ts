/** A table as the specification names it. */
export interface RestIdentifier {
  readonly namespace: readonly string[];
  readonly name: string;
}

/** The name by which Lethe knows a table. */
export function tableOf({ namespace, name }: RestIdentifier): string {
  return [...namespace, name].join('.');
}

/** What a table's name most often stands for: each part but the last is a level of the namespace. */
export function identifierOf(table: string): RestIdentifier {
  const parts = table.split('.');
  return { namespace: parts.slice(0, -1), name: parts.at(-1) ?? '' };
}

/** Paths below a catalog's prefix. */
export interface RestPaths {
  readonly namespaces: string;
  namespace(levels: readonly string[]): string;
  tables(levels: readonly string[]): string;
  table(identifier: RestIdentifier): string;
  /** The value of the `parent` parameter. */
  parent(levels: readonly string[]): string;
}

/** The prefix stands in a path as the catalog gives it: where it must be encoded, the catalog has done so. */
export function restPaths(prefix: string, separator: string): RestPaths {
  const base = prefix === '' ? '' : `/${prefix}`;
  const joined = (levels: readonly string[]): string => levels.join(separator);
  const namespace = (levels: readonly string[]): string =>
    `${base}/namespaces/${encodeURIComponent(joined(levels))}`;
  const tables = (levels: readonly string[]): string => `${namespace(levels)}/tables`;
  return {
    namespaces: `${base}/namespaces`,
    namespace,
    tables,
    table: ({ namespace: levels, name }) => `${tables(levels)}/${encodeURIComponent(name)}`,
    parent: joined,
  };
}
