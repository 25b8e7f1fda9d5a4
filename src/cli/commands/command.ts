import type { Command } from 'commander';
import type { Outcome } from '../output/outcome.ts';
import type { Session } from '../session.ts';

/** Runs a command's work in a session, prints its outcome and keeps its exit code. */
export type Act = (work: (session: Session) => Promise<Outcome>) => Promise<void>;

/** Adds one command to the program. */
export type AddCommand = (program: Command, act: Act) => void;

/** The end of a command's help. */
export function example(...lines: readonly string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${line}\n`).join('')}`;
}
