import { resolve } from 'node:path';
import { InputError } from '../../../errors.ts';

/** Where a catalog's database is. */
export type Address =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: URL };

/**
 * Reads the address of a database as it is written for Lethe, SQLAlchemy (PyIceberg) or JDBC (Spark, Trino). A relative path
 * begins in the working directory.
 *
 * @throws InputError `catalog/url`, which never shows the address: it can hold a password
 */
export function parseAddress(url: string): Address {
  const plain = url.replace(/^jdbc:/i, '');
  const [, scheme = '', rest = ''] = /^([a-z]+)(?:\+[a-z0-9_]+)?:(.*)$/is.exec(plain) ?? [];
  switch (scheme.toLowerCase()) {
    case 'sqlite':
      return { kind: 'sqlite', path: resolve(sqlitePath(rest)) };
    case 'postgres':
    case 'postgresql':
      return { kind: 'postgres', url: postgresUrl(rest) };
    default:
      throw badUrl('it begins with neither sqlite: nor postgresql:');
  }
}

/** The address of a Postgres database without its password and settings, to be shown. */
export function shownAddress({ username, host, pathname }: URL): string {
  return `postgresql://${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

function sqlitePath(rest: string): string {
  if (rest.startsWith('////')) return rest.slice(3);
  if (rest.startsWith('///')) {
    // SQLAlchemy reads three slashes as a relative path, everybody else as an absolute one.
    throw badUrl('sqlite:/// means different files to different programs');
  }
  if (
    rest.replace(/^\/\//, '') === '' ||
    rest.startsWith('//') ||
    rest.startsWith(':memory:') ||
    rest.includes('\0')
  ) {
    throw badUrl('it names no file');
  }
  return rest;
}

function postgresUrl(rest: string): URL {
  if (!URL.canParse(`postgresql:${rest}`)) throw badUrl('it is no whole postgresql: address');
  const url = new URL(`postgresql:${rest}`);
  // A password with one of these as it is ends there for whoever reads the address, and the rest of it would be shown.
  if (
    url.hash !== '' ||
    url.pathname.includes('@') ||
    [...url.searchParams.keys()].some((name) => name.includes('@'))
  ) {
    throw badUrl('a /, ?, # or @ in a name or password must be written as %2F, %3F, %23 or %40');
  }
  for (const name of ['user', 'password'] as const) {
    const value = url.searchParams.get(name);
    if (value === null) continue;
    url.searchParams.delete(name);
    url[name === 'user' ? 'username' : 'password'] = encodeURIComponent(value);
  }
  if (url.hostname === '' && !url.searchParams.has('host')) throw badUrl('it names no host');
  return url;
}

function badUrl(why: string): InputError {
  return new InputError('catalog/url', `The url of the SQL catalog cannot be read: ${why}`, {
    remedy: 'Write sqlite:catalog.db, sqlite:/lake/catalog.db or postgresql://user@host:5432/database',
    data: { why },
  });
}
