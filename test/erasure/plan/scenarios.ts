import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Plan, type PlanTable, planErasure, type Step } from '../../../src/erasure/plan/index.ts';
import { parseGovernance } from '../../../src/governance/index.ts';
import { type Lineage, readLineage } from '../../../src/lineage/index.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/openlineage');

export const PRODUCERS = ['spark-1.53.0', 'spark-1.53.0-on-4.1', 'dbt-ol-1.54.0'] as const;

/** What is true of one table that a scenario wrote; see the fixtures' README. */
export interface TrueOutput {
  readonly output_table: string;
  readonly action: 'delete' | 'rebuild' | 'review' | 'none';
  readonly why: string;
  readonly key_columns: readonly { readonly column: string; readonly copy_of: string }[];
  readonly true_direct_edges: Readonly<Record<string, readonly string[]>>;
  readonly what_lineage_shows: { readonly columns_without_entry: readonly string[] };
  readonly lineage_faithful: boolean;
  readonly checked_on_data: readonly DataCheck[];
}

/** What was tried on the data with one person; columns to what of the person is left in how many rows. */
export interface DataCheck {
  readonly rows: number;
  readonly rows_by_key: number;
  readonly rows_rebuilt_without: number;
  /** Rows that the table built without the person has, and that deleting by key takes away. */
  readonly rows_only_after_rebuild: number;
  readonly values_left_after_delete: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly values_left_after_rebuild: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface Scenario {
  readonly producer: (typeof PRODUCERS)[number];
  readonly name: string;
  readonly events: readonly unknown[];
  readonly outputs: readonly TrueOutput[];
}

/** All scenarios, in the order of their names. */
export function scenarios(): readonly Scenario[] {
  return PRODUCERS.flatMap((producer) =>
    readdirSync(join(FIXTURES, producer))
      .filter((file) => file.endsWith('.ndjson.gz'))
      .sort()
      .map((file): Scenario => {
        const name = file.slice(0, -'.ndjson.gz'.length);
        const read = (suffix: string): string =>
          gunzipSync(readFileSync(join(FIXTURES, producer, `${name}.${suffix}`))).toString('utf8');
        const events = read('ndjson.gz')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as unknown);
        const { outputs } = JSON.parse(read('truth.json.gz')) as Pick<Scenario, 'outputs'>;
        return { producer, name, events, outputs };
      }),
  );
}

/** The sources of all scenarios, by the schema that every event writes. */
const SOURCES: Readonly<Record<string, string>> = {
  'crm.learners':
    'learner_id:long first_name:string last_name:string full_name:string email:string phone:string address:string country:string birth_date:date signed_up_at:timestamp status:string marketing_consent:boolean ai_training_consent:boolean referrer_id:long interests:array referral_code:string',
  'crm.instructors': 'instructor_id:long name:string email:string bio:string',
  'learning.courses': 'course_id:long title:string category:string instructor_id:long price:double',
  'learning.enrollments':
    'enrollment_id:long learner_id:long course_id:long enrolled_at:timestamp status:string score:double',
  'learning.events':
    'event_id:long learner_id:long course_id:long event_type:string ip_address:string user_agent:string occurred_at:timestamp event_day:date',
  'learning.reviews':
    'review_id:long learner_id:long course_id:long rating:integer review_text:string created_at:timestamp',
  'support.tickets':
    'ticket_id:long learner_id:long contact_email:string subject:string body:string status:string opened_at:timestamp',
  'main_seeds.countries': 'country:string region:string',
  'billing.payments':
    'payment_id:long learner_id:long course_id:long amount:double card_number:string paid_at:timestamp',
};

/**
 * What the platform's people declare: ids, row keys, that a referrer is a learner too and that such a row belongs to the one
 * who was referred, how the Delta tables' paths are named, and where the sources come from.
 */
const governance = parseGovernance({
  'retention.toml': `
[erasure.subjects.learner]
id_type = "long"
id_columns = ["learner_id"]
identifying = ["crm.learners.full_name", "crm.learners.email", "crm.learners.phone"]

[erasure.decisions."crm.learners"]
answers = ["two-people"]
action = "delete"
by = ["learner_id"]
reason = "a row belongs to the learner who was referred"
decided_by = "crm team"
`,
  'metadata.toml': Object.entries({
    'crm.learners': 'learner_id',
    'learning.enrollments': 'enrollment_id',
    'learning.events': 'event_id',
    'learning.reviews': 'review_id',
    'support.tickets': 'ticket_id',
    'billing.payments': 'payment_id',
  })
    .map(([table, key]) => `[tables."${table}"]\nowner = "platform"\nkey = ["${key}"]\n`)
    .concat(
      '[tables."crm.learners".columns]\nreferrer_id = { classification = "internal", identifies = "learner" }\n',
    )
    .join('\n'),
  'lineage.toml': `
[[patterns]]
namespace = "file"
name = "/lake/files/delta/{table}"
table = "delta.{table}"

[datasets]
"duckdb:///lake/platform.duckdb platform.main_staging.eph_active_learners" = "main_staging.stg_learners"

[ignored]
"file /lake/files/raw/*" = "the nightly drop of the source systems, emptied every day"

[sources]
${Object.keys(SOURCES)
  .map((table) => `"${table}" = "its source system"`)
  .join('\n')}
`,
});

export interface Planned {
  readonly plan: Plan;
  readonly lineage: Lineage;
  readonly tables: readonly PlanTable[];
}

/** Reads a scenario's events and plans over the tables that its warehouse has. */
export async function planScenario(scenario: Scenario): Promise<Planned> {
  const lineage = await readLineage({ from: [scenario.events], names: governance.names });
  const tables = tablesOf(scenario, lineage);
  return { plan: planErasure({ governance, lineage, tables, subject: 'learner' }), lineage, tables };
}

function tablesOf(scenario: Scenario, lineage: Lineage): readonly PlanTable[] {
  const found = new Map<string, PlanTable>();
  for (const [table, columns] of Object.entries(SOURCES))
    found.set(table, { table, columns: typed(columns) });
  const known = new Map(lineage.tables.map((table) => [table.table, table]));
  for (const output of scenario.outputs) {
    const table = tableName(output.output_table);
    if (table === null || found.has(table) || known.get(table)?.view === true) continue;
    const types = new Map(known.get(table)?.columns.map(({ name, type }) => [name, type]));
    const names = new Set([
      ...Object.keys(output.true_direct_edges),
      ...output.what_lineage_shows.columns_without_entry,
    ]);
    // A truth lists only the columns that the scenario's statements fill; Spark's schema facet has them all.
    for (const name of lastSchema(scenario, output.output_table)) names.add(name);
    const columns = [...names].map((name) => {
      const type = types.get(name);
      return type === undefined ? { name } : { name, type };
    });
    found.set(table, { table, columns });
  }
  for (const { table, mapped, columns, view, dropped } of lineage.tables)
    if (mapped && columns.length > 0 && !view && !dropped && !found.has(table))
      found.set(table, { table, columns });
  return [...found.values()];
}

/** The columns of an output as the last event that writes it has them, without Iceberg's own. */
function lastSchema({ events }: Scenario, output: string): readonly string[] {
  const path = `/${output
    .replace(/^PATH:/, '')
    .replaceAll('.', '/')
    .replace(/^\//, '')}`;
  let columns: readonly string[] = [];
  for (const event of events as readonly { readonly outputs?: readonly EventOutput[] }[])
    for (const { name, facets } of event.outputs ?? [])
      if (name.endsWith(path)) columns = facets?.schema?.fields?.map((field) => field.name) ?? columns;
  return columns.filter((name) => !name.startsWith('_'));
}

interface EventOutput {
  readonly name: string;
  readonly facets?: { readonly schema?: { readonly fields?: readonly { readonly name: string }[] } };
}

function typed(columns: string): PlanTable['columns'] {
  return columns.split(' ').map((column) => {
    const [name, type] = column.split(':') as [string, string];
    return { name, type };
  });
}

/** The warehouse's name of a table as a truth file writes it; null for a path that is no table. */
export function tableName(output: string): string | null {
  if (output.startsWith('PATH:/delta/')) return `delta.${output.slice('PATH:/delta/'.length)}`;
  if (output.startsWith('PATH:')) return null;
  if (output.startsWith('J:')) return `jcat.${output.slice(2)}`;
  return output.startsWith('SC:') ? `sc_lake.${output.slice(3)}` : output;
}

/** What became of an output: a step of the plan, or how else it was reported; `absent` where it was not. */
export type Outcome = Step['action'] | 'view' | 'unmapped' | 'unaccounted' | 'absent';

export function outcomeOf({ plan, lineage }: Planned, output: string): { outcome: Outcome; step?: Step } {
  const table = tableName(output);
  const step = plan.steps.find((candidate) => candidate.table === table);
  if (step !== undefined) return { outcome: step.action, step };
  if (lineage.tables.some((known) => known.table === table && known.view)) return { outcome: 'view' };
  const path = output.replace(/^PATH:/, '/lake/files');
  if (plan.unmapped.some(({ name }) => name === path)) return { outcome: 'unmapped' };
  if (plan.unaccounted.some(({ name }) => name === table)) return { outcome: 'unaccounted' };
  return { outcome: 'absent' };
}
