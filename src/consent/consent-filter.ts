import { Table } from 'apache-arrow';
import type { Purpose } from '../governance/governance.ts';
import { and, equals, evaluate, type Predicate } from '../predicate/index.ts';

/**
 * The rows of a purpose's table that it may use, as a predicate for Arrow and every dialect (rule C3). A withdrawal deletes
 * nothing: the next read with this filter leaves the row out. True alone is given (rule C2), so NULL is left out.
 *
 * @example await warehouse.count('crm.learners', consentFilter(governance.purposes.get('marketing_email')!))
 */
export function consentFilter(purpose: Purpose): Predicate {
  const given = equals(purpose.attribute, { type: 'boolean', value: true });
  return purpose.also === undefined ? given : and(given, purpose.also);
}

/**
 * The rows of an Arrow table that a purpose may use. Throws what `evaluate` throws: a table without the attribute is an
 * error, never a table where everybody agreed.
 */
export function withConsent(table: Table, purpose: Purpose): Table {
  const allowed = evaluate(consentFilter(purpose), table);
  const batches = runs(allowed).flatMap(([from, to]) => table.slice(from, to).batches);
  return new Table(table.schema, batches);
}

/** The stretches of true, as half-open ranges. */
function runs(flags: readonly boolean[]): [number, number][] {
  const found: [number, number][] = [];
  for (const [index, flag] of flags.entries()) {
    if (!flag) continue;
    const last = found.at(-1);
    if (last?.[1] === index) last[1] = index + 1;
    else found.push([index, index + 1]);
  }
  return found;
}
