import type { DeclaredGap } from '../../governance/governance.ts';
import type { Lineage, Skipped } from '../../lineage/index.ts';
import { matchesGlob } from '../../lineage/names/pattern.ts';
import { counted } from '../../values/counted.ts';
import type { PlanFinding } from './plan.ts';

/** Findings that make a plan too unsure to be carried out: the job refuses them until they are declared. */
export const UNSURE: ReadonlySet<PlanFinding['code']> = new Set(['events-skipped', 'shared-table']);

/**
 * What the lineage lacks: one finding for all events that could not be read and that no `[[gaps]]` entry declares, one for each
 * entry that counts. An entry answers only as many as it says, so that what breaks later is seen.
 */
export function gapFindings(
  { skipped }: Pick<Lineage, 'skipped'>,
  gaps: readonly DeclaredGap[],
): readonly PlanFinding[] {
  let open: readonly Skipped[] = skipped;
  const findings: PlanFinding[] = [];
  for (const gap of gaps) {
    const covered = open.filter(
      ({ file }) => matchesGlob(gap.file, file) || matchesGlob(`*/${gap.file}`, file),
    );
    const finding = { table: null, at: gap.at };
    if (covered.length === 0)
      findings.push({ ...finding, code: 'needless-decision', what: `no event is missing from ${gap.file}` });
    else if (covered.length > gap.skipped)
      findings.push({
        ...finding,
        code: 'gap-outgrown',
        what: `the gap in ${gap.file} was declared for ${gap.skipped}, and there are ${covered.length}`,
      });
    else {
      open = open.filter((one) => !covered.includes(one));
      findings.push({
        ...finding,
        code: 'gap-declared',
        what: `${events(covered.length)} ${covered.length === 1 ? 'is' : 'are'} missing from ${gap.file}: ${gap.reason} (${gap.decidedBy})`,
      });
    }
  }
  const [first] = open;
  if (first === undefined) return findings;
  const run = first.run === null ? '' : `, run ${first.run}`;
  const file = first.file.slice(first.file.lastIndexOf('/') + 1);
  const what = `${events(open.length)} could not be read, the first at ${file}:${first.line}${run}: ${first.why}`;
  return [{ code: 'events-skipped', table: null, what, at: { file, line: first.line } }, ...findings];
}

function events(number: number): string {
  return counted(number, 'event or part of one', 'events or parts of events');
}
