import type { LineageNames } from '../../governance/governance.ts';
import type { Dataset, Lineage } from '../lineage.ts';
import { type NameFinding, nameFindings } from './findings.ts';
import { NearestTables } from './nearest-tables.ts';

/** What {@link datasetNames} looks at. */
export interface DatasetNamesOptions {
  readonly lineage: Pick<Lineage, 'datasets' | 'tables'>;
  /** The tables of the warehouse. */
  readonly tables: readonly string[];
  readonly declared?: LineageNames;
}

/** Which table each dataset became, by which rule (rule L2a), and what a person should look at. */
export interface DatasetNames {
  readonly datasets: readonly NamedDataset[];
  readonly findings: readonly NameFinding[];
}

/** A dataset with what its name came to. */
export interface NamedDataset extends Pick<Dataset, 'namespace' | 'name' | 'table' | 'by' | 'declared'> {
  /** `unmapped`: it is no table of the warehouse, and nobody said why (rule L2b). `left-out`: declared, a view, or gone. */
  readonly state: 'mapped' | 'unmapped' | 'left-out';
  /** For the unmapped: the tables that it most likely is. */
  readonly candidates: readonly string[];
}

/** Tells of each dataset which table it became. */
export function datasetNames({ lineage, tables, declared }: DatasetNamesOptions): DatasetNames {
  const known = new Set(tables);
  const near = new NearestTables(tables);
  const passing = new Set(
    lineage.tables.filter(({ view, dropped }) => view || dropped).map(({ table }) => table),
  );
  return {
    datasets: lineage.datasets.map(({ namespace, name, table, by, declared: at }): NamedDataset => {
      const left = by === 'ignored' || by === 'job' || (table !== null && passing.has(table));
      const state = table !== null && known.has(table) ? 'mapped' : left ? 'left-out' : 'unmapped';
      return {
        namespace,
        name,
        table,
        by,
        state,
        candidates: state === 'unmapped' ? near.of(table ?? name) : [],
        ...(at === undefined ? {} : { declared: at }),
      };
    }),
    findings: nameFindings(lineage, declared),
  };
}
