import type { LineageNames } from '../../governance/governance.ts';
import { JOB_NAMESPACE } from '../collect/collector.ts';
import type { DatasetNote } from '../collect/dataset-notes.ts';
import type { Dataset } from '../lineage.ts';
import { compilePattern, fillTemplate, matchesGlob } from './pattern.ts';
import { symlinkCandidates, usualCandidates, warehousesOf } from './usual.ts';

/** What names are mapped with. */
export interface MapDatasets {
  readonly namespaces: readonly string[];
  readonly names: readonly string[];
  readonly notes: readonly (DatasetNote | undefined)[];
  readonly declared: LineageNames | undefined;
  /** Tables of the warehouse: they decide between likely names. */
  readonly tables: readonly string[] | undefined;
}

/**
 * Maps each dataset to the table that it is (rule L2a): by `lineage.toml` (exact names, then patterns), then by its TABLE
 * symlinks and its primary name, then by the usual naming of its producer. What `[ignored]` lists maps to none.
 */
export function mapDatasets({ namespaces, names, notes, declared, tables }: MapDatasets): readonly Dataset[] {
  const exact = new Map(declared?.datasets.map((entry) => [`${entry.namespace} ${entry.name}`, entry.table]));
  const patterns = (declared?.patterns ?? []).map((entry) => ({
    namespace: compilePattern(entry.namespace),
    name: compilePattern(entry.name),
    table: entry.table,
  }));
  const ignored = declared?.ignored ?? [];
  const warehouses = warehousesOf(notes);
  const known = tables === undefined ? undefined : new KnownTables(tables);

  return names.map((name, index): Dataset => {
    const namespace = namespaces[index]!;
    const dataset = { namespace, name };
    if (namespace.startsWith(JOB_NAMESPACE)) return { ...dataset, table: null, by: 'job' };
    const named = exact.get(`${namespace} ${name}`);
    if (named !== undefined) return { ...dataset, table: named, by: 'datasets' };
    if (ignored.some((entry) => matchesGlob(entry.namespace, namespace) && matchesGlob(entry.name, name)))
      return { ...dataset, table: null, by: 'ignored' };
    for (const pattern of patterns) {
      const inNamespace = pattern.namespace(namespace);
      const inName = inNamespace === null ? null : pattern.name(name);
      if (inName !== null)
        return {
          ...dataset,
          table: fillTemplate(pattern.table, { ...inNamespace, ...inName }),
          by: 'patterns',
        };
    }
    const usual = usualCandidates(namespace, name, warehouses);
    return fromSymlinks(dataset, notes[index], usual, known) ?? fromNaming(dataset, usual, known);
  });
}

type Named = Pick<Dataset, 'namespace' | 'name'>;

function fromSymlinks(
  dataset: Named,
  note: DatasetNote | undefined,
  usual: readonly string[],
  known: KnownTables | undefined,
): Dataset | null {
  const links = note?.tables ?? [];
  if (links.length === 0) return null;
  const found = [...new Set(links.map((link) => pick(symlinkCandidates(link), known)))].sort();
  // Symlinks that contradict each other: the primary name decides (rule L2a).
  const table = found.find((candidate) => usual.includes(candidate)) ?? found[0]!;
  if (found.length === 1) return { ...dataset, table, by: 'symlink' };
  return { ...dataset, table, by: 'symlink', doubt: `its symlinks name several tables: ${found.join(', ')}` };
}

function fromNaming(dataset: Named, usual: readonly string[], known: KnownTables | undefined): Dataset {
  if (usual.length === 0) {
    const whole = known?.find(dataset.name);
    return whole === undefined
      ? { ...dataset, table: null, by: null }
      : { ...dataset, table: whole, by: 'naming' };
  }
  return { ...dataset, table: pick(usual, known), by: 'naming' };
}

/** The first candidate that the warehouse has, else the likeliest. */
function pick(candidates: readonly string[], known: KnownTables | undefined): string {
  for (const candidate of candidates) {
    const table = known?.find(candidate);
    if (table !== undefined) return table;
  }
  return candidates[0]!;
}

/** Tables by name; a difference in case alone is none where it is the only one (hazard 30). */
class KnownTables {
  readonly #exact: ReadonlySet<string>;
  readonly #folded = new Map<string, string | null>();

  constructor(tables: readonly string[]) {
    this.#exact = new Set(tables);
    for (const table of tables) {
      const folded = table.toLowerCase();
      this.#folded.set(folded, this.#folded.has(folded) ? null : table);
    }
  }

  find(name: string): string | undefined {
    if (this.#exact.has(name)) return name;
    return this.#folded.get(name.toLowerCase()) ?? undefined;
  }
}
