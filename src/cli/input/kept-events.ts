import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../errors.ts';
import type { LineageSource, MarquezEvents } from '../../lineage/index.ts';
import { marquezEvents } from '../../lineage/index.ts';
import { instantOf } from '../../lineage/read/instant.ts';
import { errorCode } from '../../storage/local-path.ts';
import { withLock } from '../../storage/log/lock.ts';
import { onDisk } from '../../storage/log/on-disk.ts';
import { parseJson, stringifyJson } from '../../values/json.ts';

/** How far the events of a server are kept. */
const KEPT = z.object({
  schemaVersion: z.literal(1),
  /** The server, as messages show it. */
  address: z.string(),
  /** Where the next read goes on. */
  position: z.string(),
  /** The bytes of the file that hold whole pages: what a read that was stopped wrote after them is read again. */
  bytes: z.number().int().nonnegative(),
  /** SHA-256 of the kept events of the position's own millisecond, which the next read is given once more. */
  last: z.array(z.string()),
});
type Kept = z.infer<typeof KEPT>;

/** A server, without the position that is kept here, and the file that its events go to. */
export interface KeepEvents extends Omit<MarquezEvents, 'passed'> {
  readonly file: string;
}

/**
 * Adds to a file the events that a Marquez server has stored since the last time, one a line, and gives the file as what to read
 * lineage from. So the server is asked for each event once, and events that it drops later still count. A read that is stopped, or
 * fails, goes on behind the last whole page.
 *
 * @throws InputError `cli/kept-events` where the file is another server's, or has lost events; RefusedError `cli/kept-busy` where
 * another command adds to it; and what `marquezEvents` throws
 */
export async function keepEvents({ file, from, ...server }: KeepEvents): Promise<LineageSource> {
  await onDisk(file, () => mkdir(dirname(file), { recursive: true }));
  await withLock({ path: `${file}.lock`, code: 'cli/kept-busy', patient: true }, async () => {
    // Before anything is written: the address may be none.
    const { name } = marquezEvents(server);
    const kept = await keptIn(file, name);
    const out = await onDisk(file, () => open(file, 'a'));
    try {
      await onDisk(file, () => out.truncate(kept?.bytes ?? 0));
      await addTo(out, { file, kept, name, server: { ...server, ...startOf(kept, from) } });
    } finally {
      await out.close();
    }
  });
  return file;
}

function startOf(kept: Kept | null, from: string | undefined): { readonly from?: string } {
  const start = kept?.position ?? from;
  return start === undefined ? {} : { from: start };
}

interface AddTo {
  readonly file: string;
  readonly kept: Kept | null;
  readonly name: string;
  readonly server: MarquezEvents;
}

/** Writes page after page, each with the position behind it. */
async function addTo(out: FileHandle, { file, kept, name, server }: AddTo): Promise<void> {
  const before = new Set(kept?.last);
  let page = '';
  let bytes = kept?.bytes ?? 0;
  let moment = kept === null ? Number.NaN : instantOf(kept.position)!;
  const first = moment;
  let last: string[] = [...before];
  const passed = async (position: string): Promise<void> => {
    const written = Buffer.from(page);
    page = '';
    bytes += written.length;
    await onDisk(file, async () => {
      await out.appendFile(written);
      await out.datasync();
    });
    await note(file, { schemaVersion: 1, address: name, position, bytes, last });
  };
  for await (const event of marquezEvents({ ...server, passed }).events) {
    const text = stringifyJson(event);
    const digest = createHash('sha256').update(text).digest('hex');
    // The source gives no event without a time.
    const time = Math.floor(instantOf((event as { readonly eventTime: string }).eventTime)!);
    if (time === first && before.has(digest)) continue;
    last = time === moment ? [...last, digest] : [digest];
    moment = time;
    page += `${text}\n`;
  }
}

async function keptIn(file: string, address: string): Promise<Kept | null> {
  const [noted, size] = [await textOf(`${file}.position`), await sizeOf(file)];
  if (noted === null) {
    if (size === 0) return null;
    throw wrong(file, 'has events, and no note beside it of where they end');
  }
  const kept = keptFrom(noted);
  if (kept === null) throw wrong(file, 'has a note beside it that says nothing of where its events end');
  if (kept.address !== address) throw wrong(file, `keeps the events of ${kept.address}`);
  if (size < kept.bytes) throw wrong(file, 'has lost events since it was written');
  return kept;
}

function keptFrom(text: string): Kept | null {
  try {
    const kept = KEPT.safeParse(parseJson(text));
    return kept.success && instantOf(kept.data.position) !== null ? kept.data : null;
  } catch {
    return null;
  }
}

/** Written beside and moved into place, so that no note is ever half written. */
async function note(file: string, kept: Kept): Promise<void> {
  const draft = `${file}.position.draft`;
  await onDisk(draft, async () => {
    await writeFile(draft, `${stringifyJson(kept, 2)}\n`, { flush: true });
    await rename(draft, `${file}.position`);
  });
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    return onDisk(file, () => Promise.reject(cause));
  }
}

async function sizeOf(file: string): Promise<number> {
  const handle = await open(file, 'r').catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT') return null;
    return onDisk(file, () => Promise.reject<FileHandle>(cause));
  });
  if (handle === null) return 0;
  try {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

function wrong(file: string, what: string): InputError {
  return new InputError('cli/kept-events', `${file} ${what}`, {
    remedy: `Name another file as keep, or remove ${file} and ${file}.position to read everything anew`,
    data: { file },
  });
}
