import type { Governance, RetentionRule } from '../governance.ts';
import { checkCondition } from './conditions.ts';
import type { CheckedColumn, Origin } from './finding.ts';
import type { Names } from './names.ts';

const TEMPORAL = /^(?:date|timestamp(?:tz)?(?:_ns)?)$/;

/** The rules against their tables: the table, the column they count from and its type, the condition. */
export function checkRetention(names: Names, governance: Governance): void {
  for (const rule of [...governance.retention.values()].flat()) {
    const origin = { at: rule.at, what: 'The retention rule' };
    const table = names.table(rule.table, origin);
    const column = names.column(table, rule.countedFrom, origin);
    if (column !== null) checkDate(names, rule, column, origin);
    checkCondition(names, table, rule.onlyWhen, origin);
  }
}

function checkDate(names: Names, rule: RetentionRule, column: CheckedColumn, origin: Origin): void {
  const subject = { table: rule.table, column: column.name };
  if (column.required === false) {
    names.add('nullable-date', origin, {
      ...subject,
      level: 'warning',
      message: 'The rule counts from a column that can be NULL; rows without a date are never due',
      remedy: 'Make the column required, or watch the undated rows that `lethe due` counts',
    });
  }
  if (column.type === undefined || TEMPORAL.test(column.type)) {
    if (rule.format !== undefined && column.type !== undefined) {
      names.add('format-without-text', origin, {
        ...subject,
        level: 'warning',
        message: `The rule declares a text format, and the column is ${column.type}`,
        remedy: 'Remove the format',
      });
    }
    return;
  }
  if (column.type === 'string' && rule.format !== undefined) return;
  const isText = column.type === 'string';
  names.add(isText ? 'format-needed' : 'not-a-date', origin, {
    ...subject,
    message: isText
      ? 'The rule counts from text, which does not sort as days do'
      : `The rule counts from a column that is ${column.type}, which says no day`,
    remedy: isText ? 'Declare the format, such as format = "dd-MM-yyyy"' : 'Count from a date or a timestamp',
  });
}
