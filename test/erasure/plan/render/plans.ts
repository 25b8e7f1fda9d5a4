import { join } from 'node:path';
import { type Plan, planErasure } from '../../../../src/erasure/plan/index.ts';
import { loadGovernance, parseGovernance } from '../../../../src/governance/index.ts';
import { type Lineage, readLineage } from '../../../../src/lineage/index.ts';
import { company } from '../../../support/company.ts';
import { type JobRun, runEvents } from '../../../support/openlineage.ts';
import { platformEvents, platformTables } from '../platform.ts';
import { tablesOf } from '../support.ts';

const governance = await loadGovernance(join(import.meta.dirname, '../../../../governance'));

/** A plan and the lineage that it was made from. */
export interface Planned {
  readonly plan: Plan;
  readonly lineage: Lineage;
}

/** The platform's plan for a learner, with more jobs and tables where they are given. */
export async function platformPlan(
  more: readonly JobRun[] = [],
  tables: Readonly<Record<string, string>> = {},
): Promise<Planned> {
  const events = [...platformEvents(), ...more.flatMap(runEvents)];
  const all = [...platformTables, ...tablesOf(tables)];
  const names = all.map(({ table }) => table);
  const lineage = await readLineage({ from: [events], names: governance.names, tables: names });
  return { plan: planErasure({ governance, lineage, tables: all, subject: 'learner' }), lineage };
}

/** The plan of a made-up company of some size. */
export async function companyPlan(size: number): Promise<Planned> {
  const { tables, runs, sources } = company(size);
  const declared = parseGovernance({
    'retention.toml':
      '[erasure.subjects.person]\nid_type = "long"\nid_columns = ["person_id"]\nidentifying = []\n',
    'lineage.toml': `[sources]\n${sources.map((table) => `"${table}" = "a test"`).join('\n')}\n`,
  });
  const lineage = await readLineage({
    from: [runs.flatMap(runEvents)],
    names: declared.names,
    tables: Object.keys(tables),
  });
  const plan = planErasure({ governance: declared, lineage, tables: tablesOf(tables), subject: 'person' });
  return { plan, lineage };
}

/** Names that would do harm if they became markup, SQL, a diagram's commands or those of a terminal. */
export const HOSTILE: readonly string[] = [
  '<script>globalThis.harm = 1</script>',
  '</script><img src=x onerror="globalThis.harm=1">',
  '"><img src=x onerror=globalThis.harm=1>',
  "' onmouseover='globalThis.harm=1",
  '<!--<script>',
  ']]></text><foreignObject>',
  "'; DROP TABLE x; --",
  '\u001b[2J\u202egnp.exe',
  '"]; click t0 href "javascript:globalThis.harm=1"',
  '%%{init: {}}%%\nflowchart TB',
  'שלום\u200f 🧑‍🎓 naïve',
  '$' + '{globalThis.harm=1} `x` \u2028',
];

/** The platform with a table, a column and a job of each hostile name. */
export function hostilePlan(): Promise<Planned> {
  const runs = HOSTILE.map(
    (name): JobRun => ({
      job: `job ${name}`,
      output: `mart.${name}`,
      columns: { [name]: [['crm.learners.learner_id', 'TRANSFORMATION']] },
    }),
  );
  const tables = Object.fromEntries(HOSTILE.map((name) => [`mart.${name}`, 'x:string']));
  return platformPlan(runs, tables);
}
