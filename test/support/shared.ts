import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * A file or folder of the reference material that stands beside the repository where it was written, or null where it does
 * not: then the tests that read it are skipped, and {@link sharedReason} says why.
 */
export function sharedPath(...parts: readonly string[]): string | null {
  const path = join(root, '..', 'shared', ...parts);
  return existsSync(path) ? path : null;
}

/** Why a test that needs `parts` does not run, as a part of its title. */
export function sharedReason(...parts: readonly string[]): string {
  return `skipped: ${join('..', 'shared', ...parts)} is not here`;
}
