import type { Io } from '../io.ts';
import { printable } from './printable.ts';

/** One report of progress: how much of what is done. Never a value of a person (rule E3). */
export interface Step {
  /** What is being done, `scan`, `delete`. */
  readonly stage: string;
  /** The table or file it is at. */
  readonly item: string;
  readonly done: number;
  /** Null where it is not known yet. */
  readonly total: number | null;
}

const BAR = 24;

/**
 * Shows progress on standard error (rule E9): on a terminal one line that is drawn again, elsewhere one line for each stage,
 * so that a log stays readable.
 */
export class Progress {
  readonly #io: Io;
  #stage = '';
  #drawn = false;

  constructor(io: Io) {
    this.#io = io;
  }

  show(step: Step): void {
    if (this.#io.terminal) {
      this.#io.err(`\r\u001b[2K${line(step)}`);
      this.#drawn = true;
    } else if (step.stage !== this.#stage) {
      this.#io.err(`${step.stage} …\n`);
    }
    this.#stage = step.stage;
  }

  /** Takes the line away, so that what follows starts at the left. */
  end(): void {
    if (this.#drawn) this.#io.err('\r\u001b[2K');
    this.#drawn = false;
  }
}

function line({ stage, item, done, total }: Step): string {
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total);
  const filled = Math.round(share * BAR);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
  const count = total === null ? `${done}` : `${done}/${total}`;
  return [...printable(`${stage.padEnd(10)} ${bar} ${count}  ${item}`)].slice(0, 79).join('');
}
