import type { Exit } from '../exit.ts';

/**
 * What a command hands back: the document that `--json` prints, the same as text, and the exit code. Commands print
 * nothing themselves, so a document is always the only thing on standard output.
 */
export interface Outcome {
  readonly exit: Exit;
  readonly document: Readonly<Record<string, unknown>>;
  /** For people; lines of at most 100 columns. */
  readonly text: string;
}

/** The version of every document's names; it grows when one is renamed or removed, never when one is added. */
export const SCHEMA_VERSION = 1;
