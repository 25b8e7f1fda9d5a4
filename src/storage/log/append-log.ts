import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseJson } from '../../values/json.ts';
import { errorCode } from '../local-path.ts';
import { withLock } from './lock.ts';
import { onDisk, unusable } from './on-disk.ts';

const NEWLINE = 0x0a;

/** Lines that are only ever added. */
export interface AppendLog {
  /** Names it in messages: a path, never a secret. */
  readonly name: string;
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

/**
 * A log in a file, made with mode 0600 and only ever appended to (rule G4). Every addition is one write in append mode under a
 * lock, synced before it counts. A last line that a crash tore is completed where its entry is whole, and cut off where it is
 * not: its writer never heard that it was kept. `locked` is the code of the error where another process holds the lock.
 */
export function appendLog(path: string, { locked }: { readonly locked: string }): AppendLog {
  return {
    name: path,
    read: () => onDisk(path, () => readAll(path)),
    add: (compose) =>
      withLock({ path: `${path}.lock`, code: locked, patient: true }, () =>
        onDisk(path, () => append(path, compose)),
      ),
  };
}

async function readAll(path: string): Promise<readonly LogLine[] | null> {
  const file = await openExisting(path);
  if (file === null) return null;
  try {
    return linesOf(await file.readFile());
  } finally {
    await file.close();
  }
}

async function append(
  path: string,
  compose: (there: readonly LogLine[]) => readonly string[],
): Promise<void> {
  const file = await openLog(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  try {
    const there = await repair(file);
    const lines = compose(there);
    if (lines.length === 0) return;
    const { size } = await file.stat();
    try {
      await file.appendFile(`${lines.join('\n')}\n`);
      await file.sync();
    } catch (error) {
      // A full disk leaves half a line: take it away while the lock is held.
      await file.truncate(size).catch(() => {});
      throw error;
    }
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}

/** Completes or cuts off a torn last line; returns the lines that stand. */
async function repair(file: FileHandle): Promise<readonly LogLine[]> {
  const bytes = await file.readFile();
  const lines = linesOf(bytes);
  const last = lines.at(-1);
  if (last === undefined || !last.torn) return lines;
  if (isWhole(last.text)) {
    await file.appendFile('\n');
  } else {
    await file.truncate(bytes.lastIndexOf(NEWLINE) + 1);
    lines.pop();
  }
  await file.sync();
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

function linesOf(bytes: Uint8Array): LogLine[] {
  const texts = Buffer.from(bytes).toString('utf8').split('\n');
  const rest = texts.pop()!;
  const lines = texts.map((text, index) => ({ text, line: index + 1, torn: false }));
  return rest === '' ? lines : [...lines, { text: rest, line: lines.length + 1, torn: true }];
}

/** A pipe and a device are no logs: to read one might never end, and neither might opening it without `O_NONBLOCK`. */
async function openLog(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_NONBLOCK, 0o600);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw unusable(path, 'no file');
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await openLog(path, constants.O_RDONLY);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Makes the file's name durable too; some systems cannot sync a folder, and there the name is durable already. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  if (folder === null) return;
  await folder.sync().catch(() => {});
  await folder.close();
}
