import type { Governance, RetentionRule } from '../governance/governance.ts';

/** A rule by the name under which commits and documents know it. */
export interface NamedRule {
  /** The table; of a table with several rules the second is `billing.payments#2`. */
  readonly name: string;
  readonly rule: RetentionRule;
}

/** Every rule, by table name and then in the order of the file. */
export function namedRules(governance: Governance): NamedRule[] {
  return [...governance.retention]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([table, rules]) =>
      rules.map((rule, index) => ({ name: index === 0 ? table : `${table}#${index + 1}`, rule })),
    );
}
