import { RefusedError } from '../../errors.ts';
import { parseJson } from '../../values/json.ts';
import type { LogLine } from './append-log.ts';

/** What {@link readLines} reads, and what it says of a line that it cannot read. */
export interface Reading<T> {
  /** The log's name. */
  readonly name: string;
  readonly lines: readonly LogLine[];
  /** Null for a line that is none. */
  readonly read: (parsed: unknown) => T | null;
  readonly broken: { readonly code: string; readonly remedy: string };
}

/**
 * Reads the lines of a log that is only added to (rule G4). A last line without its end that cannot be read is left out: its writer was
 * cut off, or is just at it. Any other is refused with its place, since what it said is lost.
 */
export function readLines<T>({ name, lines, read, broken }: Reading<T>): readonly T[] {
  return lines.flatMap((line) => {
    const parsed = parse(line.text);
    const entry = parsed === undefined ? null : read(parsed);
    if (entry !== null) return [entry];
    if (line.torn) return [];
    throw new RefusedError(broken.code, `${name}:${line.line} cannot be read`, {
      remedy: broken.remedy,
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
