import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import type { LineageSource, MarquezEvents } from '../../lineage/index.ts';
import { marquezEvents } from '../../lineage/index.ts';
import { instantOf } from '../../lineage/read/instant.ts';
import { errorCode } from '../../storage/local-path.ts';
import { withLock } from '../../storage/log/lock.ts';
import { onDisk } from '../../storage/log/on-disk.ts';
import { parseJson, stringifyJson } from '../../values/json.ts';
import type { Instant } from '../../values/time.ts';

/** How far the events of a server are kept. */
const KEPT = z.object({
  schemaVersion: z.literal(1),
  /** The server, as messages show it. */
  address: z.string(),
  /** The newest time of an event that was read; null before the first page. */
  position: z.string().nullable(),
  /** The bytes of the file that hold whole pages: what a read that was stopped wrote after them is read again. */
  bytes: z.number().int().nonnegative(),
});
type Kept = z.infer<typeof KEPT>;

/** A server, without the position that is kept here, and the file that its events go to. */
export interface KeepEvents extends Omit<MarquezEvents, 'passed'> {
  readonly file: string;
  /** The next read begins before this, whatever later time an event of another clock has. */
  readonly now: Instant;
}

/**
 * How much of the time before the position is asked for again. An event has its producer's time, and a transport that is slow or tries
 * again stores it after younger ones; what is later than this is never seen.
 */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/**
 * Adds to a file the events that a Marquez server has stored since the last time, one a line, and gives the file as what to read
 * lineage from. So the server is asked for the events of its last day and of nothing before, and events that it drops later still
 * count. A read that is stopped, or fails, goes on behind the last whole page.
 *
 * @throws InputError `cli/kept-events` where the file is another server's, or has lost events; RefusedError `cli/kept-busy` where
 * another command adds to it; and what `marquezEvents` throws
 */
export async function keepEvents({ file, from, now, ...server }: KeepEvents): Promise<LineageSource> {
  await onDisk(file, () => mkdir(dirname(file), { recursive: true }));
  await withLock({ path: `${file}.lock`, code: 'cli/kept-busy', patient: true }, async () => {
    // Before anything is written: the address may be none.
    const { name } = marquezEvents(server);
    const kept = await keptIn(file, name);
    const start = startOf(kept, now) ?? from;
    const out = await onDisk(file, () => open(file, 'a'));
    try {
      await onDisk(file, () => out.truncate(kept.bytes));
      const known = await digestsOf(file, start);
      await addTo(out, {
        file,
        kept,
        known,
        server: { ...server, ...(start === undefined ? {} : { from: start }) },
      });
    } finally {
      await out.close();
    }
  });
  return file;
}

/** Where the next read begins; undefined before the first. */
function startOf({ position }: Kept, now: Instant): string | undefined {
  if (position === null) return undefined;
  return new Date(Math.min(Math.floor(instantOf(position)!), now) - OVERLAP_MS).toISOString();
}

/** What tells the kept events apart that the server is asked for again. */
async function digestsOf(file: string, start: string | undefined): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  if (start === undefined) return known;
  const from = instantOf(start)!;
  await onDisk(file, async () => {
    for await (const line of createInterface({
      input: createReadStream(file),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      // No id is read here, so its digits may go.
      const { eventTime } = JSON.parse(line) as { readonly eventTime: string };
      if (instantOf(eventTime)! >= from) known.add(digestOf(line));
    }
  });
  return known;
}

function digestOf(event: string): string {
  return createHash('sha256').update(event).digest('base64');
}

interface AddTo {
  readonly file: string;
  readonly kept: Kept;
  readonly known: ReadonlySet<string>;
  readonly server: MarquezEvents;
}

/** Writes page after page, each with the position behind it. */
async function addTo(out: FileHandle, { file, kept, known, server }: AddTo): Promise<void> {
  let page = '';
  let { bytes } = kept;
  let newest = kept.position;
  // Whoever finds events without a note could not tell whose they are.
  await note(file, kept);
  const passed = async (position: string): Promise<void> => {
    const written = Buffer.from(page);
    page = '';
    bytes += written.length;
    await onDisk(file, async () => {
      await out.appendFile(written);
      await out.datasync();
    });
    if (newest === null || instantOf(position)! > instantOf(newest)!) newest = position;
    await note(file, { ...kept, position: newest, bytes });
  };
  for await (const event of marquezEvents({ ...server, passed }).events) {
    const text = stringifyJson(event);
    if (!known.has(digestOf(text))) page += `${text}\n`;
  }
}

async function keptIn(file: string, address: string): Promise<Kept> {
  const [noted, size] = [await textOf(`${file}.position`), await sizeOf(file)];
  if (noted === null) {
    if (size === 0) return { schemaVersion: 1, address, position: null, bytes: 0 };
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
    if (!kept.success) return null;
    const { position } = kept.data;
    return position === null || instantOf(position) !== null ? kept.data : null;
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
