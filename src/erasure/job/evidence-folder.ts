import { access, constants, link, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FailedError, InputError } from '../../errors.ts';
import { textOf } from '../../governance/folder.ts';
import { onDisk } from '../../storage/log/on-disk.ts';
import { canonicalJson, parseJson } from '../../values/json.ts';
import type { Evidence } from './evidence.ts';
import { seal, type Unsealed } from './seal.ts';

/** `000001.json`, `000002.json`, …: the place in the chain is the name, and a name is taken once. */
const BUNDLE = /^(\d{6,})\.json$/;

/** One file of an evidence folder. */
export interface BundleFile {
  readonly file: string;
  readonly number: number;
}

/** The evidence files of a folder in the order of the chain; none where there is no folder. */
export async function bundleFiles(folder: string): Promise<readonly BundleFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const number = BUNDLE.exec(name)?.[1];
      return number === undefined ? [] : [{ file: join(folder, name), number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number);
}

/**
 * Makes the folder and sees that evidence can be added to it: before the first change, since an erasure without proof is
 * none. Throws `evidence/unwritable` and `evidence/unreadable`.
 */
export async function readyFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw new InputError('evidence/unwritable', `No evidence can be written to ${folder}`, {
      remedy: 'Name a folder that this user can write to',
      data: { folder },
      cause,
    });
  }
  const last = (await bundleFiles(folder)).at(-1);
  if (last !== undefined) await digestIn(last.file);
}

/**
 * Writes evidence as the next of the folder's chain: whole or not at all, and never over another. Returns it sealed.
 * Throws `evidence/unreadable` where the last one has no digest to chain to.
 */
export async function addEvidence(folder: string, evidence: Unsealed): Promise<Evidence> {
  for (;;) {
    const last = (await bundleFiles(folder)).at(-1);
    const sealed = seal(evidence, last === undefined ? null : await digestIn(last.file));
    const number = (last?.number ?? 0) + 1;
    const name = `${String(number).padStart(6, '0')}.json`;
    if (await onDisk(folder, () => createWhole(folder, name, `${canonicalJson(sealed)}\n`))) return sealed;
    // Another job took this place in the chain: chain to its evidence instead.
  }
}

/** The evidence of that digest in a folder, newest first; null where there is none. */
export async function evidenceWith(folder: string, digest: string): Promise<Evidence | null> {
  for (const { file } of [...(await bundleFiles(folder))].reverse()) {
    if ((await digestIn(file)) === digest) return parseJson(await textOf(file)) as Evidence;
  }
  return null;
}

async function digestIn(file: string): Promise<string> {
  const parsed = await parsedFile(file);
  const digest =
    typeof parsed === 'object' && parsed !== null && 'digest' in parsed ? parsed.digest : undefined;
  if (typeof digest === 'string') return digest;
  throw new FailedError('evidence/unreadable', `${file} has no digest to chain to`, {
    remedy: 'Restore it from its copy; evidence is only ever added',
    data: { file },
  });
}

let drafts = 0;

async function parsedFile(file: string): Promise<unknown> {
  try {
    return parseJson(await textOf(file));
  } catch {
    return null;
  }
}

async function createWhole(folder: string, name: string, text: string): Promise<boolean> {
  drafts += 1;
  const draft = join(folder, `.${name}.${process.pid}-${drafts}`);
  const file = await open(draft, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
    await link(draft, join(folder, name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}
