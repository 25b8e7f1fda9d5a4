import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  readFileSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parseJson } from '../../values/json.ts';
import { openRegular } from '../local-open.ts';
import { errorCode } from '../local-path.ts';
import { syncFolder, syncOpen } from '../local-sync.ts';
import { withLock } from './lock.ts';
import { onDisk, unusable } from './on-disk.ts';

const NEWLINE = 0x0a;

/** Lines that are only ever added. */
export interface AppendLog {
  /** Names it in messages: a path, never a secret. */
  readonly name: string;
  /** The file that it is, where it is one. */
  readonly path?: string;
  /** Every line, in the order in which they were added; null where there is no log yet. */
  read(): Promise<readonly LogLine[] | null>;
  /**
   * Adds what `compose` returns for the lines that are there, as one step: no other writer's lines come in between, and it
   * is durable when this returns. Makes the log where there is none.
   */
  add(compose: (there: readonly LogLine[]) => readonly string[]): Promise<void>;
}

export interface LogLine {
  readonly text: string;
  /** Where it stands, for messages; counted from 1. */
  readonly line: number;
  /** The last line, without its end: a writer was cut off, or is just at it. */
  readonly torn: boolean;
}

/** What {@link appendLog} takes. */
export interface AppendLogOptions {
  /**
   * The code of the error where another process adds to it; null where whoever adds holds a lock on all that is around it, and adds one
   * after another.
   */
  readonly locked: string | null;
}

/**
 * A log in a file, made with mode 0600 and only ever appended to (rule G4). Every addition is one write in append mode under a
 * lock, synced before it counts. A last line that a crash tore is completed where its entry is whole, and cut off where it is
 * not: its writer never heard that it was kept.
 */
export function appendLog(path: string, { locked }: AppendLogOptions): AppendLog {
  return new FileLog(path, locked);
}

class FileLog implements AppendLog {
  readonly name: string;
  readonly path: string;
  readonly #locked: string | null;
  /** The file whose name this log has seen to disk. */
  #named: number | null = null;

  constructor(path: string, locked: string | null) {
    this.name = path;
    this.path = path;
    this.#locked = locked;
  }

  read(): Promise<readonly LogLine[] | null> {
    return onDisk(this.name, async () => readAll(this.name));
  }

  add(compose: (there: readonly LogLine[]) => readonly string[]): Promise<void> {
    const add = (): Promise<void> => onDisk(this.name, () => this.#append(compose));
    if (this.#locked === null) return add();
    return withLock({ path: `${this.name}.lock`, code: this.#locked, patient: true }, add);
  }

  async #append(compose: (there: readonly LogLine[]) => readonly string[]): Promise<void> {
    const { file, ino } = openLog(this.name, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
    let isNew: boolean;
    try {
      const there = await repair(file);
      isNew = there.length === 0;
      const lines = compose(there);
      if (lines.length === 0) return;
      await addLines(file, lines);
    } finally {
      closeSync(file);
    }
    if (!isNew && ino === this.#named) return;
    await syncFolder(dirname(this.name)).catch(() => {});
    this.#named = ino;
  }
}

function readAll(path: string): readonly LogLine[] | null {
  const file = openExisting(path);
  if (file === null) return null;
  try {
    return linesOf(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

function openExisting(path: string): number | null {
  try {
    return openLog(path, constants.O_RDONLY).file;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function addLines(file: number, lines: readonly string[]): Promise<void> {
  const { size } = fstatSync(file);
  try {
    writeFileSync(file, `${lines.join('\n')}\n`);
    await syncOpen(file);
  } catch (error) {
    // A full disk leaves half a line: take it away while the lock is held.
    cutOff(file, size);
    throw error;
  }
}

function cutOff(file: number, size: number): void {
  try {
    ftruncateSync(file, size);
  } catch {
    // What could not be added is the error, and whoever adds next repairs the line.
  }
}

/** Completes or cuts off a torn last line; returns the lines that stand. */
async function repair(file: number): Promise<readonly LogLine[]> {
  const bytes = readFileSync(file);
  const lines = linesOf(bytes);
  const last = lines.at(-1);
  if (last === undefined || !last.torn) return lines;
  if (isWhole(last.text)) {
    writeFileSync(file, '\n');
  } else {
    ftruncateSync(file, bytes.lastIndexOf(NEWLINE) + 1);
    lines.pop();
  }
  await syncOpen(file);
  return lines.map((line) => ({ ...line, torn: false }));
}

/** The end of an object's text is the end of the object, so a line that reads is a line that was written whole. */
function isWhole(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

function linesOf(bytes: Buffer): LogLine[] {
  const texts = bytes.toString('utf8').split('\n');
  const rest = texts.pop()!;
  const lines = texts.map((text, index) => ({ text, line: index + 1, torn: false }));
  return rest === '' ? lines : [...lines, { text: rest, line: lines.length + 1, torn: true }];
}

function openLog(path: string, flags: number): { readonly file: number } & Pick<Stats, 'ino'> {
  const found = openRegular(path, flags, 0o600);
  if (found === null) throw unusable(path, 'no file');
  return { file: found.file, ino: found.stats.ino };
}
