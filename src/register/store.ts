/**
 * Where a register keeps its lines (rule G4): the port that stands between the register and a file, or later a database
 * with several writers. Lines are opaque to it, and are only ever added.
 */
export interface RegisterStore {
  /** Names the store in messages: a path, never a secret. */
  readonly name: string;
  /** Every line, in the order in which they were added; null where there is no register yet. */
  read(): Promise<readonly StoredLine[] | null>;
  /**
   * Adds what `compose` returns for the lines that are there, as one step: no other writer's lines come in between, and it
   * is durable when this returns. Makes the store where there is none.
   */
  add(compose: (there: readonly StoredLine[]) => readonly string[]): Promise<void>;
}

export interface StoredLine {
  readonly text: string;
  /** Where it stands, for messages; counted from 1. */
  readonly line: number;
  /** The last line, without its end: a writer was cut off, or is just at it. */
  readonly torn: boolean;
}
