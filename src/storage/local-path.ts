import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { InputError, RefusedError } from '../errors.ts';

/** A path that is in its one form already, as nearly all are: names between single slashes, none of them `.` or `..`. */
const NORMAL = sep === '/' ? /^(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)+$/ : /^(?!)/;

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s;

/**
 * The one form of a local location: an absolute path without `.`, `..` and doubled slashes. `file:/x`, `file:///x` and
 * `file://localhost/x` are `/x`. Nothing is percent-decoded: writers put `%20` into file names literally (Hive's partition
 * folders), and Hadoop's and PyIceberg's `file:` locations hold the path as it is.
 *
 * @throws RefusedError `storage/scheme` for a location in another kind of storage
 * @throws InputError `storage/relative` for a path without a root
 */
export function localPath(location: string): string {
  if (NORMAL.test(location)) return location;
  const path = withoutScheme(location);
  if (!isAbsolute(path) || path.includes('\0')) {
    throw new InputError('storage/relative', `${location} is no absolute path`, {
      remedy: 'Name files by a file: URI or an absolute path',
      data: { location },
    });
  }
  const normal = normalize(path);
  return normal.length > 1 && normal.endsWith(sep) ? normal.slice(0, -1) : normal;
}

function withoutScheme(location: string): string {
  const [, scheme, rest = ''] = SCHEME.exec(location) ?? [];
  if (scheme === undefined) return location;
  if (scheme.toLowerCase() !== 'file') {
    throw new RefusedError('storage/scheme', `${location} is not on this machine`, {
      remedy: 'Open the warehouse with the storage that holds it, or mount a local copy of that prefix',
      data: { location, scheme },
    });
  }
  if (!rest.startsWith('//')) return rest;
  const path = rest.slice(2);
  return path.startsWith('localhost/') ? path.slice('localhost'.length) : path;
}

/** Whether `path` is `root` or lies under it, by name; both as {@link localPath} writes them. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

/** Keeps every access inside the allowed roots, whatever `..` or symbolic links say. */
export class Fence {
  readonly #roots: readonly string[];
  readonly #realRoots = new Map<string, string>();

  /** Without roots everything is allowed. */
  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /**
   * @throws RefusedError `storage/outside` where the path, or what a link on it leads to, is outside the roots
   */
  check(path: string): void {
    if (this.#roots.length === 0) return;
    this.checkName(path);
    const real = realPath(path);
    for (const root of this.#roots) {
      if (isInside(root, path) && isInside(this.#realRoot(root), real)) return;
    }
    throw this.#outside(path);
  }

  /** The same by the path's name alone, which is all that there is to a file that is not there. */
  checkName(path: string): void {
    if (this.#roots.length === 0 || this.#roots.some((root) => isInside(root, path))) return;
    throw this.#outside(path);
  }

  #outside(path: string): RefusedError {
    return new RefusedError('storage/outside', `${path} is outside the warehouse`, {
      remedy: `Move the file under ${this.#roots.join(' or ')}, or open a warehouse that includes it`,
      data: { location: path, roots: this.#roots },
    });
  }

  #realRoot(root: string): string {
    const real = this.#realRoots.get(root) ?? realPath(root);
    this.#realRoots.set(root, real);
    return real;
  }
}

/**
 * The path without links; what does not exist yet is taken under its nearest folder that does. `isPassed` says of what else that stands in
 * the way the same is done.
 */
export function realPath(path: string, isPassed: (cause: unknown) => boolean = isMissing): string {
  try {
    return realpathSync.native(path);
  } catch (cause) {
    const parent = dirname(path);
    if (parent === path || !isPassed(cause)) throw cause;
    return join(realPath(parent, isPassed), path.slice(parent.length));
  }
}

/** Whether an error of the file system says that there is no such file; a link that leads back to itself leads to none. */
export function isMissing(cause: unknown): boolean {
  const code = errorCode(cause);
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}

/** The code of an error of the file system (`EEXIST`), if it has one. */
export function errorCode(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
}
