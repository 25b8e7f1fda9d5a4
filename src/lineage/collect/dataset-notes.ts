import { isObject } from '../../values/is-object.ts';
import type { EventPlace } from '../lineage.ts';
import { type EventDataset, facetOf, textOf } from '../read/event.ts';

/** Another name of a dataset, and the first event that gives it. */
export interface Symlink {
  readonly namespace: string;
  readonly name: string;
  readonly at: EventPlace | null;
}

/** What events say about a dataset besides its edges and its columns. */
export interface DatasetNote {
  /** Its symlinks of type TABLE. */
  readonly tables: Symlink[];
  /** The folders in which its catalog keeps tables. */
  readonly warehouses: Set<string>;
  view: boolean;
}

/** Notes by dataset number, the union over all events. */
export class DatasetNotes {
  readonly byDataset: (DatasetNote | undefined)[] = [];
  /** Renames: the dataset as it was, and as it is now. */
  readonly renames: { readonly before: number; readonly after: number }[] = [];

  take(dataset: number, { facets }: EventDataset, at: EventPlace | null): void {
    const identifiers = facetOf(facets, 'symlinks')?.identifiers;
    if (Array.isArray(identifiers))
      for (const identifier of identifiers) takeSymlink(this.#of(dataset), identifier, at);
    const warehouse = textOf(facetOf(facets, 'catalog'), 'warehouseUri');
    if (warehouse !== null) this.#of(dataset).warehouses.add(warehouse);
    const model = facetOf(facets, 'dbt_model');
    const config = model === null ? null : facetOf(model, 'config');
    const type = textOf(facetOf(facets, 'datasetType'), 'datasetType');
    if (type === 'VIEW' || textOf(config, 'materialized') === 'view') this.#of(dataset).view = true;
  }

  rename(before: number, after: number): void {
    if (!this.renames.some((rename) => rename.before === before && rename.after === after))
      this.renames.push({ before, after });
  }

  /** Made for the datasets of which there is something to note, which most are not. */
  #of(dataset: number): DatasetNote {
    const known = this.byDataset[dataset];
    if (known !== undefined) return known;
    const note: DatasetNote = { tables: [], warehouses: new Set(), view: false };
    this.byDataset[dataset] = note;
    return note;
  }
}

function takeSymlink(note: DatasetNote, identifier: unknown, at: EventPlace | null): void {
  if (!isObject(identifier) || identifier.type !== 'TABLE') return;
  const { namespace, name } = identifier;
  if (typeof namespace !== 'string' || typeof name !== 'string') return;
  if (!note.tables.some((known) => known.namespace === namespace && known.name === name))
    note.tables.push({ namespace, name, at });
}
