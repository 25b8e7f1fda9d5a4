import type { LineageNames } from '../../governance/governance.ts';
import { JOB_NAMESPACE } from '../collect/collector.ts';
import type { DatasetNote } from '../collect/dataset-notes.ts';
import type { Dataset } from '../lineage.ts';
import { KnownTables, type Picked, pick } from './known-tables.ts';
import { compilePattern, fillTemplate, matchesGlob } from './pattern.ts';
import { type Candidates, symlinkCandidates, usualCandidates, warehousesOf } from './usual.ts';

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
  const exact = new Map(declared?.datasets.map((entry) => [`${entry.namespace} ${entry.name}`, entry]));
  const patterns = (declared?.patterns ?? []).map((entry) => ({
    namespace: compilePattern(entry.namespace),
    name: compilePattern(entry.name),
    table: entry.table,
    at: entry.at,
  }));
  const ignored = declared?.ignored ?? [];
  const warehouses = warehousesOf({ namespaces, names, notes });
  const known = tables === undefined ? undefined : new KnownTables(tables);

  return names.map((name, index): Dataset => {
    const namespace = namespaces[index]!;
    const dataset = { namespace, name };
    if (namespace.startsWith(JOB_NAMESPACE)) return { ...dataset, table: null, by: 'job' };
    const named = exact.get(`${namespace} ${name}`);
    if (named !== undefined) return { ...dataset, table: named.table, by: 'datasets', declared: named.at };
    const left = ignored.find(
      (entry) => matchesGlob(entry.namespace, namespace) && matchesGlob(entry.name, name),
    );
    if (left !== undefined) return { ...dataset, table: null, by: 'ignored', declared: left.at };
    for (const pattern of patterns) {
      const inNamespace = pattern.namespace(namespace);
      const inName = inNamespace === null ? null : pattern.name(name);
      if (inName !== null)
        return {
          ...dataset,
          table: fillTemplate(pattern.table, { ...inNamespace, ...inName }),
          by: 'patterns',
          declared: pattern.at,
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
  usual: Candidates,
  known: KnownTables | undefined,
): Dataset | null {
  const links = note?.tables ?? [];
  if (links.length === 0) return null;
  const found = new Map<string, Picked>();
  for (const link of links) {
    const picked = pick(symlinkCandidates(link), known);
    if (picked !== null && !found.has(picked.table)) found.set(picked.table, picked);
  }
  const tables = [...found.keys()].sort();
  // Symlinks that contradict each other: the primary name decides (rule L2a).
  const own = tables.find((candidate) => usual.likely.includes(candidate));
  const picked = found.get(own ?? tables[0]!)!;
  const named: Dataset = { ...dataset, ...picked, by: 'symlink' };
  if (tables.length === 1) return named;
  const doubt = `its symlinks name several tables: ${tables.join(', ')}`;
  const at = links.at(-1)!.at;
  return { ...named, doubt, ...(at === null ? {} : { doubtAt: at }) };
}

function fromNaming(dataset: Named, usual: Candidates, known: KnownTables | undefined): Dataset {
  const picked = pick(usual, known);
  if (picked === null) return { ...dataset, table: null, by: null };
  const { table, written } = picked;
  return { ...dataset, table, by: 'naming', ...(written === undefined ? {} : { written }) };
}
