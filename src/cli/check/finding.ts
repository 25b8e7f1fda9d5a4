import { openGaps, type Plan } from '../../erasure/index.ts';
import type { Fault, Finding } from '../../governance/index.ts';
import type { PropertyState } from '../../properties/index.ts';
import type { TableDescription } from '../../warehouse/warehouse.ts';

const NOWHERE = { table: null, column: null, file: null, line: null } as const;

/** The faults of governance files that could not be read. */
export function faultFindings(faults: readonly Fault[]): readonly Finding[] {
  return faults.map(({ code, file, line, path, message, allowed, nearest }) => ({
    ...NOWHERE,
    code,
    level: 'error',
    file,
    line,
    message: path === '' ? message : `${path}: ${message}`,
    remedy:
      nearest === null
        ? `Allowed: ${allowed.join(', ') || 'see the documentation'}`
        : `Did you mean ${nearest}?`,
  }));
}

/** What stands in a plan that the erasure job would refuse, and what else its reader should know. */
export function planFindings(plan: Plan): readonly Finding[] {
  const { subject, steps, findings } = plan;
  return [
    ...steps
      .filter(({ action }) => action === 'review')
      .map(
        ({ table, causes, why }): Finding => ({
          ...NOWHERE,
          code: 'review',
          level: 'error',
          table,
          message: `the erasure of a ${subject} needs a decision: ${causes.map(({ code }) => code).join(', ')}. ${why}`,
          remedy: `Record it in [erasure.decisions."${table}"], or mend the lineage`,
        }),
      ),
    ...openGaps(plan).map(
      ({ code, table, reason, remedy }): Finding => ({
        ...NOWHERE,
        code,
        level: 'error',
        // A dataset and a job are no tables, so the message has to name them.
        ...(code === 'unaccounted' ? { table, message: reason } : { message: `${table}: ${reason}` }),
        remedy,
      }),
    ),
    ...findings.map(
      ({ code, table, what }): Finding => ({
        ...NOWHERE,
        code,
        level: 'warning',
        table,
        message: what,
        remedy: 'Read it before you trust the plan',
      }),
    ),
  ];
}

/** Why an erasure could not change a table. */
export function refusalFindings({ table, refusals }: TableDescription): readonly Finding[] {
  return refusals.map(({ code, reason, remedy }) => ({
    ...NOWHERE,
    code,
    level: 'warning',
    table,
    message: `an erasure would be refused: ${reason}`,
    remedy,
  }));
}

/** Tables that lack generated properties. */
export function propertyFindings(states: ReadonlyMap<string, PropertyState>): readonly Finding[] {
  return [...states].flatMap(([table, { missing }]) => {
    const names = Object.keys(missing);
    if (names.length === 0) return [];
    const finding: Finding = {
      ...NOWHERE,
      code: 'properties-missing',
      level: 'warning',
      table,
      message: `it lacks ${names.length} generated properties`,
      remedy: 'Run lethe properties --apply',
    };
    return [finding];
  });
}
