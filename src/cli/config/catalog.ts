import { resolve } from 'node:path';
import type { WrittenCatalog } from './catalog-schema.ts';
import type { WarehouseConfig } from './config.ts';

/** The catalog of a warehouse out of what the file says; paths begin in its folder. */
export function catalogOf(written: WrittenCatalog, folder: string): WarehouseConfig['catalog'] {
  const at = (path: string): string => (isUri(path) ? path : resolve(folder, path));
  switch (written.kind) {
    case 'directory':
      return { kind: 'directory', path: at(written.path), takeOver: written.take_over ?? false };
    case 'sql': {
      const { url, url_env: urlEnv, password_env: passwordEnv, name, warehouse, locations = [] } = written;
      return {
        kind: 'sql',
        ...(url === undefined ? {} : { url: absoluteUrl(url, folder) }),
        ...(urlEnv === undefined ? {} : { urlEnv }),
        ...(passwordEnv === undefined ? {} : { passwordEnv }),
        ...(name === undefined ? {} : { name }),
        ...(warehouse === undefined ? {} : { warehouse: at(warehouse) }),
        locations: locations.map(at),
      };
    }
    case 'rest': {
      const { uri, warehouse, prefix, token_env: tokenEnv, sigv4, locations = [] } = written;
      const client = clientOf(written);
      return {
        kind: 'rest',
        uri,
        ...(warehouse === undefined ? {} : { warehouse }),
        ...(prefix === undefined ? {} : { prefix }),
        ...(tokenEnv === undefined ? {} : { tokenEnv }),
        ...(client === undefined ? {} : { client }),
        ...(sigv4 === undefined ? {} : { sigv4 }),
        locations: locations.map(at),
      };
    }
  }
}

/** A database file named without a root lies beside the configuration. */
export function absoluteUrl(url: string, folder: string): string {
  const [, path] = /^(?:jdbc:)?sqlite:([^/].*)$/is.exec(url) ?? [];
  return path === undefined ? url : `sqlite:${resolve(folder, path)}`;
}

function clientOf({
  client_id_env: idEnv,
  client_secret_env: secretEnv,
  scope,
  token_url: tokenUrl,
  audience,
  resource,
}: WrittenCatalog & { kind: 'rest' }) {
  if (idEnv === undefined || secretEnv === undefined) return undefined;
  return {
    idEnv,
    secretEnv,
    ...(scope === undefined ? {} : { scope }),
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
    ...(audience === undefined ? {} : { audience }),
    ...(resource === undefined ? {} : { resource }),
  };
}

function isUri(path: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(path);
}
