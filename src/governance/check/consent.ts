import type { Governance } from '../governance.ts';
import { checkCondition } from './conditions.ts';
import type { Names } from './names.ts';

const RECORD_COLUMNS = ['subject', 'purpose', 'state', 'changed_at'];

/** Purposes against the tables: the attribute is a boolean, the records have their four columns. */
export function checkConsent(names: Names, governance: Governance): void {
  for (const purpose of governance.purposes.values()) {
    const origin = { at: purpose.at, what: `The purpose ${purpose.name}` };
    const table = names.table(purpose.table, origin);
    const attribute = names.column(table, purpose.attribute, origin);
    if (attribute?.type !== undefined && attribute.type !== 'boolean') {
      names.add('attribute-type', origin, {
        table: purpose.table,
        column: purpose.attribute,
        message: `${origin.what} reads an attribute that is ${attribute.type}; only true is given`,
        remedy: 'Name a boolean column, derived from the recorded states',
      });
    }
    checkCondition(names, table, purpose.also, origin);
    if (purpose.records === undefined) continue;
    const records = names.table(purpose.records, origin);
    for (const column of RECORD_COLUMNS) names.column(records, column, origin);
  }
}
