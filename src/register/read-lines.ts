import { RefusedError } from '../errors.ts';
import { parseJson } from '../values/json.ts';
import type { StoredLine } from './store.ts';

/**
 * Reads the lines of an append-only log (rule G4). A last line without its end that cannot be read is left out: its writer
 * was cut off, or is just at it. Any other is refused with its place (`register/broken-line`), since what it said is lost.
 */
export function readLines<T>(
  name: string,
  stored: readonly StoredLine[],
  read: (parsed: unknown) => T | null,
): readonly T[] {
  return stored.flatMap((line) => {
    const parsed = parse(line.text);
    const entry = parsed === undefined ? null : read(parsed);
    if (entry !== null) return [entry];
    if (line.torn) return [];
    throw new RefusedError('register/broken-line', `${name}:${line.line} cannot be read`, {
      remedy:
        'Restore the file from its last good copy, or use the version of Lethe that wrote it; never delete the line, which names an erased person',
      data: { file: name, line: line.line },
    });
  });
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
