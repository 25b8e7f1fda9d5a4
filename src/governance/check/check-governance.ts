import type { Governance } from '../governance.ts';
import { checkConsent } from './consent.ts';
import { checkErasure } from './erasure.ts';
import { type CheckedTable, type Finding, sortFindings } from './finding.ts';
import { checkLineageNames } from './lineage.ts';
import { checkMetadata } from './metadata.ts';
import { Names } from './names.ts';
import { checkRetention } from './retention.ts';

/**
 * Checks the governance files against the tables: every table and column that they name exists (with the nearest name where
 * it does not), dates are dates, conditions compare like with like, ids fit their columns, and every column is classified.
 *
 * `tables` are descriptions of the warehouse's tables, or the schema facets of lineage events where no warehouse is at hand.
 * Errors are what would stop or mislead a job; warnings are what a person should know. Reads nothing, throws nothing.
 */
export function checkGovernance(options: {
  readonly governance: Governance;
  readonly tables: readonly CheckedTable[];
}): Finding[] {
  const names = new Names(options.tables);
  checkRetention(names, options.governance);
  checkErasure(names, options.governance);
  checkMetadata(names, options.governance);
  checkConsent(names, options.governance);
  checkLineageNames(names, options.governance);
  return sortFindings(names.findings);
}
