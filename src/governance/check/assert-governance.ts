import { InputError } from '../../errors.ts';
import type { Governance } from '../governance.ts';
import { checkGovernance } from './check-governance.ts';
import type { CheckedTable, Finding } from './finding.ts';

/**
 * Stops work that would rest on a wrong name: an identifying column that was mistyped would not be looked for, and nobody
 * would miss it. Warnings pass; `checkGovernance` tells them.
 *
 * Throws `governance/tables` with every error of {@link checkGovernance} in `data.findings`.
 */
export function assertGovernance(options: {
  readonly governance: Governance;
  readonly tables: readonly CheckedTable[];
}): void {
  const errors = checkGovernance(options).filter(({ level }) => level === 'error');
  if (errors.length === 0) return;
  throw new InputError(
    'governance/tables',
    `The governance files do not fit the tables:\n${errors.map(shown).join('\n')}\n`,
    {
      remedy: 'Correct the lines shown (lethe check lists them); nothing was started',
      data: { findings: errors },
    },
  );
}

function shown({ file, line, table, column, message, remedy }: Finding): string {
  const place = file === null ? '' : `${file}:${line ?? 1} `;
  return `${place}${[table, column].filter((name) => name !== null).join('.')}: ${message}. ${remedy}`;
}
