import { isObject } from '../../values/is-object.ts';
import { ROLE, type RoleMask } from '../roles.ts';
import type { EventDataset, Facets } from './event.ts';
import { rolesOf, wholeTableRoles } from './transformations.ts';

/** What stands at either end of an entry: a dataset, or a job that passes data on without naming one. */
export interface Endpoint {
  readonly kind: 'dataset' | 'job';
  readonly namespace: string;
  readonly name: string;
}

/** An entry read: where data goes, and from where. */
export interface LineageEntry {
  readonly to: Endpoint;
  readonly sources: readonly LineageSource[];
  /** The entry says that it lists all its inputs: `inputs: []` means none. */
  readonly closed: boolean;
}

export interface LineageSource {
  readonly from: Endpoint;
  /** Null for the whole of either side. */
  readonly field: string | null;
  readonly column: string | null;
  readonly roles: RoleMask;
}

/** The `lineage` facet of a job (experimental, 1-0-0), which outranks `columnLineage` and the inputs of its event. */
export function readJobLineage(
  facet: Facets,
  self: Endpoint,
  fault: (why: string) => void,
): readonly LineageEntry[] {
  const entries = facet.entries;
  if (!Array.isArray(entries)) {
    fault('lineage.entries is no list');
    return [];
  }
  return entries.flatMap((entry) => {
    const to = isObject(entry) ? endpointOf(entry, self) : null;
    if (to === null) fault('lineage: an entry names no dataset and no job');
    return to === null ? [] : [readEntry(entry as Facets, to, self, fault)];
  });
}

/** The `lineage` facet of a dataset, which stands on a dataset event. */
export function readDatasetLineage(
  facet: Facets,
  dataset: EventDataset,
  self: Endpoint,
  fault: (why: string) => void,
): LineageEntry {
  return readEntry(facet, { kind: 'dataset', namespace: dataset.namespace, name: dataset.name }, self, fault);
}

function readEntry(entry: Facets, to: Endpoint, self: Endpoint, fault: (why: string) => void): LineageEntry {
  const sources: LineageSource[] = [];
  const take = (list: unknown, column: string | null): void => {
    if (list == null) return;
    if (!Array.isArray(list)) {
      fault('lineage: inputs is no list');
      return;
    }
    for (const input of list as readonly unknown[]) {
      const from = isObject(input) ? endpointOf(input, self) : null;
      if (from === null) fault('lineage: an input names no dataset and no job');
      else sources.push(sourceOf(input as Facets, from, column));
    }
  };
  take(entry.inputs, null);
  const fields = entry.fields;
  if (isObject(fields)) {
    for (const column in fields) {
      const field = fields[column];
      take(isObject(field) ? field.inputs : undefined, column);
    }
  } else if (fields != null) fault('lineage: fields is no object');
  return { to, sources, closed: Array.isArray(entry.inputs) || isObject(fields) };
}

function sourceOf(input: Facets, from: Endpoint, column: string | null): LineageSource {
  const field = typeof input.field === 'string' ? input.field : null;
  const stated = rolesOf(input.transformations, undefined);
  // Whole tables on either side: only what is said to be indirect is that, all else may be anything.
  const roles = column === null ? wholeTableRoles(stated) : field === null ? ROLE.unknown : stated;
  return { from, field, column, roles };
}

/** A dataset or job by name; both names left out mean the event's own job. */
function endpointOf(value: Facets, self: Endpoint): Endpoint | null {
  const { namespace, name, type } = value;
  const kind = type === 'JOB' ? 'job' : 'dataset';
  if (namespace == null && name == null) return kind === 'job' ? self : null;
  if (typeof name !== 'string') return null;
  return { kind, namespace: typeof namespace === 'string' ? namespace : self.namespace, name };
}
