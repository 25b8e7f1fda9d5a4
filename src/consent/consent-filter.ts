import type { Table } from 'apache-arrow';
import type { Purpose } from '../governance/governance.ts';
import { and, equals, evaluate, type Predicate } from '../predicate/index.ts';
import { keepRows } from '../predicate/keep-rows.ts';

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
  return keepRows(table, evaluate(consentFilter(purpose), table));
}
