import type { LineageNames } from '../../governance/governance.ts';
import type { Dataset, EventPlace, Lineage } from '../lineage.ts';
import { compilePattern, matchesGlob } from './pattern.ts';
import { foldsCase } from './spelling.ts';
import { isOtherStore } from './stores.ts';

/** Something about names that a person should look at (rule L2). */
export interface NameFinding {
  /**
   * `contradictory-symlinks`: a dataset's symlinks name several tables. `shared-table`: two datasets that may hold different data
   * became one table. `case-near-miss`: names differ in case alone. `matches-nothing`: an entry of `lineage.toml` that no dataset
   * meets.
   */
  readonly code: 'contradictory-symlinks' | 'shared-table' | 'case-near-miss' | 'matches-nothing';
  readonly table: string | null;
  /** One line. */
  readonly what: string;
  /** In `lineage.toml`, or the event; null where no place is to blame. */
  readonly at: EventPlace | null;
}

/** What is to be looked at in how datasets became tables, by code and name. */
export function nameFindings(
  { datasets }: Pick<Lineage, 'datasets'>,
  declared?: LineageNames,
): readonly NameFinding[] {
  return [
    ...datasets.flatMap(contradictions),
    ...sharedTables(datasets),
    ...datasets.flatMap(caseOfTable),
    ...caseOfTwo(datasets),
    ...(declared === undefined ? [] : unused(datasets, declared)),
  ].sort((a, b) => (`${a.code} ${a.table} ${a.what}` < `${b.code} ${b.table} ${b.what}` ? -1 : 1));
}

/** Said of nearly every dataset. */
const NOTHING: readonly NameFinding[] = [];

function contradictions({ table, doubt, doubtAt }: Dataset): readonly NameFinding[] {
  if (doubt === undefined) return NOTHING;
  return [{ code: 'contradictory-symlinks', table, what: doubt, at: doubtAt ?? null }];
}

/** Each table that datasets of different stores became. Whoever wrote `[datasets]` entries for both meant it. */
function sharedTables(datasets: readonly Dataset[]): readonly NameFinding[] {
  return [...byTable(datasets)].flatMap(([table, all]): readonly NameFinding[] => {
    if (all.length === 1) return NOTHING;
    const others = all.filter((one) =>
      all.some((two) => (one.by !== 'datasets' || two.by !== 'datasets') && isOtherStore(one, two)),
    );
    if (others.length === 0) return NOTHING;
    const names = others.map(({ namespace, name }) => `${namespace} ${name}`);
    const at = others.find(({ by }) => by === 'patterns')?.declared ?? null;
    const what = `${names.join(' and ')} became one table, and may hold different data`;
    return [{ code: 'shared-table', table, what, at }];
  });
}

function byTable(datasets: readonly Dataset[]): ReadonlyMap<string, readonly Dataset[]> {
  const found = new Map<string, Dataset[]>();
  for (const dataset of datasets) {
    if (dataset.table === null) continue;
    const all = found.get(dataset.table);
    if (all === undefined) found.set(dataset.table, [dataset]);
    else all.push(dataset);
  }
  return found;
}

function caseOfTable({ namespace, name, table, written }: Dataset): readonly NameFinding[] {
  if (written === undefined || foldsCase(namespace, name)) return NOTHING;
  const what = `${namespace} ${name} was taken for it, though ${written} differs in case`;
  return [{ code: 'case-near-miss', table, what, at: null }];
}

/** Tables that differ in case alone and are two. */
function caseOfTwo(datasets: readonly Dataset[]): readonly NameFinding[] {
  const firsts = new Map<string, string>();
  const several = new Map<string, Set<string>>();
  for (const { table } of datasets) {
    if (table === null) continue;
    const key = table.toLowerCase();
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, table);
    else if (first !== table) several.set(key, (several.get(key) ?? new Set([first])).add(table));
  }
  return [...several.values()].flatMap((tables): readonly NameFinding[] => {
    const [table, ...others] = [...tables].sort();
    return [
      {
        code: 'case-near-miss',
        table: table!,
        what: `${others.join(', ')} differs from it in case alone, and is another table here`,
        at: null,
      },
    ];
  });
}

/** Entries that no dataset meets: a typing error in one leaves a dataset without its table. */
function unused(
  datasets: readonly Dataset[],
  { datasets: exact, patterns, ignored }: LineageNames,
): readonly NameFinding[] {
  const nothing = (what: string, at: EventPlace): NameFinding => ({
    code: 'matches-nothing',
    table: null,
    what,
    at,
  });
  const meets = ({ namespace, name }: { readonly namespace: string; readonly name: string }) => {
    const matchers = [compilePattern(namespace), compilePattern(name)] as const;
    return datasets.some(
      (dataset) => matchers[0](dataset.namespace) !== null && matchers[1](dataset.name) !== null,
    );
  };
  return [
    ...exact
      .filter(
        (entry) =>
          !datasets.some(({ namespace, name }) => namespace === entry.namespace && name === entry.name),
      )
      .map(({ namespace, name, at }) => nothing(`no event names the dataset "${namespace} ${name}"`, at)),
    ...patterns
      .filter((entry) => !meets(entry))
      .map(({ namespace, name, at }) =>
        nothing(`the pattern "${namespace}" "${name}" matches no dataset`, at),
      ),
    ...ignored
      .filter(
        (entry) =>
          !datasets.some(
            ({ namespace, name }) => matchesGlob(entry.namespace, namespace) && matchesGlob(entry.name, name),
          ),
      )
      .map(({ namespace, name, at }) => nothing(`the ignored "${namespace} ${name}" matches no dataset`, at)),
  ];
}
