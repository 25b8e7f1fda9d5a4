import type { TableMetadata } from '../../iceberg/metadata/metadata.ts';
import type { RestClient } from './client.ts';
import { isUnknown, statusOf } from './failures.ts';
import type { RestPaths } from './names.ts';

/** Makes a namespace, with those above it, where it is not there yet. */
export async function makeNamespace(
  client: RestClient,
  paths: RestPaths,
  levels: readonly string[],
): Promise<void> {
  if (levels.length === 0 || (await isThere(client, paths, levels))) return;
  await makeNamespace(client, paths, levels.slice(0, -1));
  try {
    await client.post(paths.namespaces, { namespace: levels, properties: {} });
  } catch (cause) {
    if (statusOf(cause) === 409) return;
    if (isUnknown(cause) && (await isThere(client, paths, levels))) return;
    throw cause;
  }
}

async function isThere(client: RestClient, paths: RestPaths, levels: readonly string[]): Promise<boolean> {
  try {
    await client.get(paths.namespace(levels));
    return true;
  } catch (cause) {
    if (statusOf(cause) === 404) return false;
    throw cause;
  }
}

/** `CreateTableRequest`: the catalog gives the uuid, and the location where there is none. */
export function newTableRequest(
  name: string,
  { json, location, formatVersion, properties }: TableMetadata,
): unknown {
  const first = (key: string): unknown => (json[key] as readonly unknown[] | undefined)?.[0];
  return {
    name,
    ...(location === '' ? {} : { location }),
    schema: first('schemas'),
    'partition-spec': first('partition-specs'),
    'write-order': first('sort-orders'),
    'stage-create': false,
    properties: { ...properties, 'format-version': String(formatVersion) },
  };
}
