/** Suffixes by which Iceberg reads a table's metadata (its documentation, "Inspecting tables"). */
const METADATA_TABLE =
  /^(all_)?(data_files|delete_files|entries|files|manifests)$|^(history|metadata_log_entries|partitions|position_deletes|refs|snapshots)$/;
const BRANCH = /^(branch|tag)_/;

/** Stores that write names in capitals where nobody quoted them; in others capitals were meant. */
const CAPITALS = /^(snowflake|oracle|db2)\b/;

/** Glue writes `table/db/table`. */
export function glueName(name: string): string {
  return name.startsWith('table/') ? name.slice('table/'.length).replaceAll('/', '.') : name;
}

/** A dotted name without the suffix of a branch or a metadata table. */
export function cutSuffix(name: string): string {
  const parts = name.split('.');
  const last = parts.at(-1)!;
  return parts.length > 2 && (METADATA_TABLE.test(last) || BRANCH.test(last))
    ? parts.slice(0, -1).join('.')
    : name;
}

/** A name without BigQuery's partition decorator (`events$20261001`); elsewhere a dollar sign is part of a name. */
export function cutPartition(namespace: string, name: string): string {
  return namespace === 'bigquery' ? name.replace(/\$\w+$/, '') : name;
}

/** A dotted name whose parts are not quoted, as SQL would have them. A dot inside quotes makes it no such name; it stays. */
export function unquoted(name: string): string {
  return /^(["`])[^"`]*\1(\.(["`])[^"`]*\3)*$/.test(name) ? name.replace(/["`]/g, '') : name;
}

/** Whether a difference in case is how a store writes every name, and no sign of another table (hazard 30). */
export function foldsCase(namespace: string, name: string): boolean {
  return CAPITALS.test(namespace) && name === name.toUpperCase();
}
