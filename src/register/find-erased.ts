import { notYetCleared } from '../erasure/cleared.ts';
import type { Plan } from '../erasure/plan/plan.ts';
import { tupleIn } from '../erasure/tuple-predicate.ts';
import type { Governance, Subject } from '../governance/governance.ts';
import { and } from '../predicate/index.ts';
import type { Predicate } from '../predicate/predicate.ts';
import { canonicalId } from '../values/id.ts';
import { Private } from '../values/private.ts';
import type { Tuple, Warehouse } from '../warehouse/warehouse.ts';
import type { ErasedPeople } from './erased-people.ts';
import { type IdPlace, idPlaces } from './id-places.ts';

/** Where to look for erased people. */
export interface LookIn {
  readonly warehouse: Pick<Warehouse, 'list' | 'describe' | 'distinct' | 'count'>;
  readonly governance: Governance;
  /** Add the copies that a plan finds by the ids of a request, whatever their columns are called: one for each subject. */
  readonly plans?: readonly Plan[];
}

/** What stands of erased people in one place. */
export interface FoundIds {
  readonly place: IdPlace;
  /** Canonical ids, and the values with which they stand in the table. */
  readonly ids: Private<readonly (readonly string[])[]>;
  /** The rows that should not be there as they are. */
  readonly where: Private<Predicate>;
  readonly hits: number;
  readonly requests: readonly string[];
  /** Distinct values that are no id of this type: no hits, and not silent (rule G1). */
  readonly notIds: number;
}

/**
 * Looks for erased people in every place of a table (rule G2). Ids are made distinct by the warehouse and hashed as they
 * come, so memory grows with the people found, never with the table (rule G5).
 */
export async function findErased(
  table: string,
  look: LookIn,
  erased: ErasedPeople,
): Promise<readonly FoundIds[]> {
  const places = idPlaces(await look.warehouse.describe(table), look).filter(
    (place) => place.kept === null || place.kept.length > 0,
  );
  const found: FoundIds[] = [];
  for (const place of places) found.push(await findIn(place, look.warehouse, erased));
  return found;
}

async function findIn(
  place: IdPlace,
  warehouse: LookIn['warehouse'],
  erased: ErasedPeople,
): Promise<FoundIds> {
  const tuples: Tuple[] = [];
  const requests = new Set<string>();
  let notIds = 0;
  for await (const tuple of warehouse.distinct(place.table, place.columns)) {
    if (tuple.some((part) => part === null)) continue;
    const answer = erased.ask(place.subject, tuple);
    if (answer.kind === 'no-id') notIds += 1;
    if (answer.kind !== 'erased') continue;
    tuples.push(tuple);
    for (const request of answer.requests) requests.add(request);
  }
  const theirs = tupleIn(place.columns, tuples);
  return {
    place,
    ids: new Private(tuples.map((tuple) => canonicalParts(place.subject, tuple))),
    where: new Private(place.kept === null ? theirs : and(theirs, notYetCleared(place.kept))),
    hits: tuples.length,
    requests: [...requests].sort(),
    notIds,
  };
}

function canonicalParts(subject: Subject, tuple: Tuple): readonly string[] {
  return tuple.map((part) => canonicalId(subject.idType, part)!);
}
