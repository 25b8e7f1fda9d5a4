import type { Fault } from '../../governance/fault.ts';

/** Faults that are about a name or the form of a line: what stands behind the `=` may be a secret under a name that nobody foresaw. */
const ABOUT_FORM = new Set(['governance/unknown-key', 'governance/syntax', 'governance/duplicate-key']);

/** A fault of `lethe.toml` whose line shows no value, unless the fault is about that value. */
export function masked(fault: Fault): Fault {
  if (!ABOUT_FORM.has(fault.code)) return fault;
  const excerpt = fault.excerpt
    .split('\n')
    .map((line) => line.replace(/=.*/, (values) => values.replace(/[^\s{}[\],="']/g, '*')))
    .join('\n');
  return { ...fault, excerpt };
}
