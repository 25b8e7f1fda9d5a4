import {
  type Fault,
  GovernanceError,
  type LoadOptions,
  parseGovernance,
} from '../../src/governance/index.ts';

/** The faults of some files; fails where there are none. */
export function faultsOf(
  files: Readonly<Record<string, string>>,
  options: LoadOptions = {},
): readonly Fault[] {
  try {
    parseGovernance(files, options);
  } catch (error) {
    if (error instanceof GovernanceError) return error.faults;
    throw error;
  }
  throw new Error('The files have no fault.');
}

/** The only fault of a `retention.toml`. */
export function onlyFault(retention: string, others: Readonly<Record<string, string>> = {}): Fault {
  const faults = faultsOf({ 'retention.toml': retention, ...others });
  if (faults.length !== 1)
    throw new Error(`Expected one fault, found:\n${faults.map((fault) => fault.message).join('\n')}`);
  return faults[0]!;
}

/** A rule that is right, to stand before what is wrong. */
export const RULE = '[tables."a.b"]\nkeep_days = 1\ncounted_from = "d"\n';
