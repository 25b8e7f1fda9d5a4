import {
  type DeclaredJob,
  type Plan,
  type PlanTable,
  planErasure,
  type Step,
} from '../../../src/erasure/plan/index.ts';
import { parseGovernance } from '../../../src/governance/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import { type JobRun, runEvents } from '../../support/openlineage.ts';

/** What a test plans from: tables as `schema.table` to `column column:type`, runs, and more TOML for the three files. */
export interface Planning {
  readonly tables: Readonly<Record<string, string>>;
  readonly runs?: readonly JobRun[];
  /** Tables declared as loaded from outside; every table that no run writes, where left out. */
  readonly sources?: readonly string[];
  readonly subject?: string;
  readonly retention?: string;
  readonly metadata?: string;
  readonly lineage?: string;
  readonly jobs?: readonly DeclaredJob[];
}

/** People with one id, `person_id`. */
const SUBJECT = `
[erasure.subjects.person]
id_type = "long"
id_columns = ["person_id"]
identifying = []
`;

export function tablesOf(tables: Readonly<Record<string, string>>): readonly PlanTable[] {
  return Object.entries(tables).map(([table, columns]) => ({
    table,
    columns: columns.split(' ').map((column) => {
      const [name, type = 'long'] = column.split(':') as [string, string?];
      return { name, type };
    }),
  }));
}

export async function planOf(planning: Planning): Promise<Plan> {
  const {
    tables,
    runs = [],
    subject = SUBJECT,
    retention = '',
    metadata = '',
    lineage = '',
    jobs,
  } = planning;
  const written = new Set(runs.map(({ output }) => output));
  const sources = planning.sources ?? Object.keys(tables).filter((table) => !written.has(table));
  const governance = parseGovernance({
    'retention.toml': `${subject}\n${retention}`,
    'metadata.toml': metadata,
    'lineage.toml': `[sources]\n${sources.map((table) => `"${table}" = "a test"`).join('\n')}\n${lineage}`,
  });
  const read = await readLineage({ from: [runs.flatMap(runEvents)], names: governance.names });
  return planErasure({
    governance,
    lineage: read,
    tables: tablesOf(tables),
    subject: 'person',
    ...(jobs === undefined ? {} : { jobs }),
  });
}

/** A step in one line: `delete by person_id = crm.people.person_id`, `review misaligned, incremental`, `rebuild by job`. */
export function told(step: Step | undefined): string {
  if (step === undefined) return 'absent';
  const by = step.match.map(({ columns, copyOf, values }) => {
    const through = values.from === 'rows' ? ` via ${values.table}` : '';
    return `${columns.join('+')}${copyOf === null ? '' : ` = ${copyOf}`}${through}`;
  });
  const cleared =
    step.clear.length === 0 ? '' : `, clear ${step.clear.map(({ column }) => column).join(', ')}`;
  if (step.action === 'review')
    return `review ${[...new Set(step.causes.map(({ code }) => code))].join(', ')}`;
  if (step.action === 'rebuild') return `rebuild by ${step.job}`;
  return `${step.action}${by.length === 0 ? '' : ` by ${by.join(' or ')}`}${cleared}`;
}

export async function stepOf(planning: Planning, table: string): Promise<string> {
  return told((await planOf(planning)).steps.find((step) => step.table === table));
}
