import { type Governance, parseGovernance, type RetentionRule } from '../../src/governance/index.ts';

/** Governance of one `retention.toml`. */
export function governed(retention: string): Governance {
  return parseGovernance({ 'retention.toml': retention });
}

/** The only rule of a file with one table `t`; `lines` are what stands under its header. */
export function ruleOf(...lines: readonly string[]): RetentionRule {
  return governed(`[tables.t]\n${lines.join('\n')}\n`).retention.get('t')![0]!;
}
