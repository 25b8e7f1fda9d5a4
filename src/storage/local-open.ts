import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';

/**
 * Opens a file; null where something else has its name. A pipe and a device are no files: to read one might never end, and neither might
 * opening it without `O_NONBLOCK`. Throws what the system says.
 */
export function openRegular(
  path: string,
  flags: number,
  mode?: number,
): { readonly file: number; readonly stats: Stats } | null {
  const file = openSync(path, flags | constants.O_NONBLOCK, mode);
  const stats = fstatSync(file);
  if (stats.isFile()) return { file, stats };
  closeSync(file);
  return null;
}
