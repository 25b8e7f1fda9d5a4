import { basename, join } from 'node:path';
import { InputError } from '../errors.ts';
import { parseDay } from '../values/day.ts';
import { nearest } from '../values/nearest.ts';
import type { Day } from '../values/time.ts';
import { crossCheck, type Documents } from './cross-checks.ts';
import { type Fault, GovernanceError, sortFaults } from './fault.ts';
import { readConsentFile } from './files/consent.ts';
import { readLineageFile } from './files/lineage.ts';
import { readMetadataFile } from './files/metadata.ts';
import { readRetentionFile } from './files/retention.ts';
import { namesIn, textsIn } from './folder.ts';
import type { Governance } from './governance.ts';
import { TomlDocument } from './toml/document.ts';

const FILES = ['retention.toml', 'metadata.toml', 'consent.toml', 'lineage.toml', 'copies.toml'] as const;

/** What governance is read for. */
export interface LoadOptions {
  /** The day of the work; exceptions past their `review_by` on it are faults. */
  readonly day?: Day;
}

/**
 * Reads the governance files of a folder: `retention.toml`, and where they exist `metadata.toml`, `consent.toml`,
 * `lineage.toml`, `copies.toml`.
 *
 * Throws {@link GovernanceError} with every fault of every file, `governance/no-folder`, `governance/unreadable`, and `values/day`.
 *
 * @example const governance = await loadGovernance('governance');
 */
export async function loadGovernance(dir: string, options: LoadOptions = {}): Promise<Governance> {
  const names = await namesIn(dir);
  if (names === null) throw noFolder(dir);
  const present = FILES.filter((name) => names.includes(name));
  const files = await textsIn(dir, present);
  const strays = names.filter((name) => isStray(name, present));
  return parseFiles(files, { ...options, folder: dir, strays: strays.map((name) => join(dir, name)) });
}

/**
 * Reads governance from texts by file name (`retention.toml` is required; a path may stand before the name and is shown in
 * faults). Throws {@link GovernanceError} with every fault of every file, and `values/day`.
 *
 * @example parseGovernance({ 'retention.toml': '[tables."a.b"]\nkeep_days = 30\ncounted_from = "day"' })
 */
export function parseGovernance(
  files: Readonly<Record<string, string>>,
  options: LoadOptions = {},
): Governance {
  const strays = Object.keys(files).filter((file) => !(FILES as readonly string[]).includes(basename(file)));
  return parseFiles(files, { ...options, folder: '', strays });
}

interface ParseOptions extends LoadOptions {
  readonly folder: string;
  readonly strays: readonly string[];
}

function parseFiles(files: Readonly<Record<string, string>>, options: ParseOptions): Governance {
  const day = options.day === undefined ? undefined : parseDay(options.day);
  const open = (name: (typeof FILES)[number]) => {
    const file = Object.keys(files).find((candidate) => basename(candidate) === name);
    return file === undefined ? null : new TomlDocument(file, files[file]!);
  };
  const retention = open('retention.toml');
  const documents: Documents = {
    retention: retention ?? new TomlDocument(join(options.folder, 'retention.toml'), ''),
    metadata: open('metadata.toml'),
    consent: open('consent.toml'),
    lineage: open('lineage.toml'),
  };
  const governance = governanceOf(documents);
  crossCheck(governance, documents, day);
  const faults = [
    documents.retention,
    documents.metadata,
    documents.consent,
    documents.lineage,
    open('copies.toml'),
  ].flatMap((document) => document?.faults ?? []);
  if (retention === null)
    faults.push(fileFault(documents.retention.file, 'governance/missing-file', 'there is no such file'));
  faults.push(...options.strays.map(strayFault));
  if (faults.length > 0) throw new GovernanceError(sortFaults(faults));
  return governance;
}

function governanceOf({ retention, metadata, consent, lineage }: Documents): Governance {
  const tables: Governance['metadata'] = metadata === null ? new Map() : readMetadataFile(metadata);
  return {
    ...readRetentionFile(retention, tables.keys()),
    metadata: tables,
    purposes: consent === null ? new Map() : readConsentFile(consent),
    names: readLineageFile(lineage ?? new TomlDocument('lineage.toml', '')),
  };
}

function noFolder(dir: string): InputError {
  return new InputError('governance/no-folder', `There is no governance folder ${dir}`, {
    remedy: 'Make it, with a retention.toml in it, or name another folder',
    data: { dir },
  });
}

/** A TOML file whose name is nearly that of a file which is not there: a typing mistake that would be lost in silence. */
function isStray(name: string, present: readonly string[]): boolean {
  if (!name.endsWith('.toml') || (FILES as readonly string[]).includes(name)) return false;
  const meant = nearest(name, FILES);
  return meant !== null && !present.includes(meant);
}

function strayFault(file: string): Fault {
  const fault = fileFault(file, 'governance/unknown-file', 'no governance file has this name');
  return { ...fault, allowed: FILES, nearest: nearest(basename(file), FILES) };
}

function fileFault(file: string, code: string, message: string): Fault {
  return {
    code,
    file,
    line: 1,
    column: 1,
    path: '',
    message,
    found: null,
    allowed: [],
    nearest: null,
    excerpt: '',
  };
}
