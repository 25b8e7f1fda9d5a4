import { isObject } from '../../values/is-object.ts';
import type { RoleMask } from '../roles.ts';
import type { Facets } from './event.ts';
import { futureVersion } from './schema-version.ts';
import { rolesOf, wholeTableRoles } from './transformations.ts';

/** Takes one edge into an output. `to` is null where the entry speaks of the whole table; so is `field`. */
export type EdgeSink = (
  to: string | null,
  namespace: string,
  name: string,
  field: string | null,
  roles: RoleMask,
) => void;

/** Where a `columnLineage` facet is read to. */
export interface ReadColumnLineage {
  readonly sink: EdgeSink;
  /** Takes `fields` that were cut out of the event before; false where these are none. */
  readonly cut: (fields: unknown) => boolean;
  readonly fault: (why: string) => void;
}

/**
 * Reads a `columnLineage` facet of any version (1-0-0 to 1-2-0). It is read by hand and not by a schema, because these are nearly
 * all the bytes that lineage has. True where the facet spoke; a facet without `fields` says nothing (rule L1c), and one with a
 * wrong shape says less than it should: that is passed to `fault`.
 */
export function readColumnLineage(facet: Facets, { sink, cut, fault }: ReadColumnLineage): boolean {
  const future = futureVersion(facet._schemaURL, 1);
  if (future !== null) fault(`columnLineage is of version ${future}, which is not known; it was read as 1`);
  const fields = facet.fields;
  if (cut(fields)) return readWholeTable(facet.dataset, sink, fault);
  if (!isObject(fields)) {
    if (fields !== undefined) fault('columnLineage.fields is no object');
    return false;
  }
  let whole = true;
  for (const column in fields) {
    const field = fields[column];
    if (!isObject(field) || !Array.isArray(field.inputFields)) {
      fault('columnLineage.fields: an entry has no list of inputFields');
      whole = false;
      continue;
    }
    const legacy = field.transformationType;
    for (const input of field.inputFields as readonly unknown[]) {
      if (!isInput(input)) {
        fault('columnLineage.fields: an input field lacks its name or field');
        whole = false;
      } else
        sink(column, input.namespace ?? '', input.name, input.field, rolesOf(input.transformations, legacy));
    }
  }
  return readWholeTable(facet.dataset, sink, fault) && whole;
}

function readWholeTable(dataset: unknown, sink: EdgeSink, fault: (why: string) => void): boolean {
  if (dataset == null) return true;
  if (!Array.isArray(dataset)) {
    fault('columnLineage.dataset is no list');
    return false;
  }
  let whole = true;
  for (const input of dataset as readonly unknown[]) {
    if (!isInput(input)) {
      fault('columnLineage.dataset: an input field lacks its name or field');
      whole = false;
      continue;
    }
    const roles = wholeTableRoles(rolesOf(input.transformations, undefined));
    sink(null, input.namespace ?? '', input.name, input.field, roles);
  }
  return whole;
}

interface InputField extends Record<string, unknown> {
  /** Some producers leave it out for sources that have none. */
  readonly namespace?: string | null;
  readonly name: string;
  readonly field: string;
}

function isInput(value: unknown): value is InputField {
  return (
    isObject(value) &&
    (value.namespace == null || typeof value.namespace === 'string') &&
    typeof value.name === 'string' &&
    typeof value.field === 'string'
  );
}
