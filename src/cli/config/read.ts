import { basename, dirname, resolve } from 'node:path';
import { refuseAmongTables } from '../../erasure/job/among-tables.ts';
import { InputError } from '../../errors.ts';
import { formatFault, sortFaults } from '../../governance/fault.ts';
import { textOf } from '../../governance/folder.ts';
import { TomlDocument } from '../../governance/toml/document.ts';
import { readValue } from '../../governance/toml/read.ts';
import { catalogOf } from './catalog.ts';
import type { Config, JobConfig, RegisterConfig, WarehouseConfig } from './config.ts';
import { masked } from './masked.ts';
import { CONFIG, type WrittenConfig } from './schema.ts';
import { refuseSecretLines } from './secret-lines.ts';
import { refuseSecrets } from './secrets.ts';
import { placesOf } from './storage.ts';

/**
 * Reads a `lethe.toml`. Relative paths in it start from its own folder.
 *
 * @throws InputError `cli/config` with every fault at once, each with its place, what is allowed and the nearest name;
 *   `cli/no-config` where the file cannot be read; `cli/secret-in-config` where it holds a secret;
 *   `erasure/among-tables` where what Lethe writes for itself lies among the tables
 */
export async function readConfig(file: string): Promise<Config> {
  const text = await configText(file);
  const document = new TomlDocument(basename(file), text);
  refuseSecrets(document, file);
  refuseSecretLines(text, document, file);
  const written = document.faults.length > 0 ? null : readValue(document, [], CONFIG, document.values);
  if (written !== null && document.faults.length === 0) {
    const config = configOf(written, file);
    refuseAmongTables(placesIn(config));
    return config;
  }
  const faults = sortFaults(document.faults).map(masked);
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  throw new InputError('cli/config', `${faults.map(formatFault).join('\n\n')}\n\n${count} in ${file}`, {
    remedy: 'Correct the lines shown; nothing was started',
    data: { faults },
  });
}

/** The folders in which the configuration says that tables lie, and what Lethe writes for itself. */
function placesIn({ warehouse, register, state, evidence }: Config): Parameters<typeof refuseAmongTables>[0] {
  const catalog = warehouse?.catalog;
  return {
    folders: [
      ...(catalog?.kind === 'directory' ? [catalog.path] : []),
      ...Object.values(warehouse?.tables ?? {}),
    ],
    own: { state, evidence, ...(register === null ? {} : { register: register.path }) },
  };
}

async function configText(file: string): Promise<string> {
  try {
    return await textOf(file);
  } catch (cause) {
    throw new InputError('cli/no-config', `${file} cannot be read`, {
      remedy: 'Name a readable file with --config',
      cause,
    });
  }
}

function configOf(written: WrittenConfig, file: string): Config {
  const folder = dirname(resolve(file));
  const at = (path: string): string => resolve(folder, path);
  return {
    file,
    folder,
    governance: at(written.governance ?? 'governance'),
    lineage: (written.lineage ?? []).map((source) => lineageOf(source, at)),
    warehouse: warehouseOf(written.warehouse, folder),
    register: registerOf(written.register, at),
    state: at(written.job?.state ?? '.lethe'),
    evidence: at(written.evidence?.path ?? 'evidence'),
    jobs: Object.entries(written.jobs ?? {}).map(
      ([name, { makes, replaces, run }]): JobConfig => ({
        name,
        makes,
        replacesAll: replaces === 'all',
        run,
      }),
    ),
  };
}

/** An address or standard input stays as it is; a path begins in the folder of the file. */
function lineageOf(
  source: NonNullable<WrittenConfig['lineage']>[number],
  at: (path: string) => string,
): Config['lineage'][number] {
  if (typeof source !== 'string') {
    const { marquez: url, token_env: tokenEnv = null, from = null, keep } = source;
    return { url, tokenEnv, from, keep: keep === undefined ? null : at(keep) };
  }
  if (/^https?:\/\//.test(source)) return { url: source, tokenEnv: null, from: null, keep: null };
  return source === '-' ? source : at(source);
}

function warehouseOf(written: WrittenConfig['warehouse'], folder: string): WarehouseConfig | null {
  if (written === undefined) return null;
  const catalog = catalogOf(written.catalog, folder);
  return { format: 'iceberg', engine: 'embedded', catalog, ...placesOf(written, folder) };
}

function registerOf(written: WrittenConfig['register'], at: (path: string) => string): RegisterConfig | null {
  if (written === undefined) return null;
  const { path, key_env: short, keys = {}, current = '1' } = written;
  const named = short === undefined ? Object.entries(keys) : [['1', short] as const];
  return { path: at(path), keys: new Map(named), current };
}
