import { parseGovernance } from '../../../src/governance/index.ts';
import type { Column, Shape } from './pipeline.ts';

/** The tables that the pipelines start from: people (ids 1 to 7), what they did, and things that are nobody's. */
export const SOURCES: readonly Shape[] = [
  shape(
    'crm.learners',
    'learner_id:long:learner email:string:text phone:string:text country:string:country referrer_id:long:learner spend:long:number',
  ),
  shape(
    'learning.enrollments',
    'enrollment_id:long:enrollment learner_id:long:learner course_id:long:course note:string:text',
  ),
  shape(
    'learning.reviews',
    'review_id:long:review learner_id:long:learner course_id:long:course review_text:string:text',
  ),
  shape('learning.courses', 'course_id:long:course title:string:text instructor_id:long:instructor'),
  shape('crm.instructors', 'instructor_id:long:instructor name:string:text country:string:country'),
];

function shape(table: string, columns: string): Shape {
  return {
    table,
    columns: columns.split(' ').map((column) => {
      const [name, type, domain] = column.split(':') as [string, Column['type'], Column['domain']];
      return { name, type, domain };
    }),
  };
}

/** What the platform's people declare: one kind of subject, the row keys, and which tables come from outside. */
export const governance = parseGovernance({
  'retention.toml': `
[erasure.subjects.learner]
id_type = "long"
id_columns = ["learner_id"]
identifying = ["crm.learners.email", "crm.learners.phone"]
`,
  'metadata.toml': `
[tables."crm.learners"]
owner = "crm"
key = ["learner_id"]
[tables."learning.enrollments"]
owner = "learning"
key = ["enrollment_id"]
[tables."learning.reviews"]
owner = "learning"
key = ["review_id"]
`,
  'lineage.toml': `
[sources]
"crm.*" = "loaded by the CRM sync"
"learning.*" = "loaded from the learning application"
`,
});

type Cell = string | number | null;

/**
 * The rows. Every text of a person begins with their mark (`p3:`), so that what is left of them can also be seen without
 * tags. Person 7 has left the CRM and is in the other tables only. Ids of instructors and courses are also ids of learners.
 */
const ROWS: Readonly<Record<string, readonly (readonly Cell[])[]>> = {
  'crm.learners': [
    [1, 'p1:mail', 'p1:phone', 'NL', null, 10],
    [2, 'p2:mail', 'p2:phone', 'NL', 1, 20],
    [3, 'p3:mail', 'p3:phone', 'DE', 1, 20],
    [4, 'p4:mail', null, 'DE', 2, 0],
    [5, 'p5:mail', 'p5:phone', 'FR', null, 7],
    [6, null, 'p6:phone', null, 3, 5],
  ],
  'learning.enrollments': [
    [11, 1, 1, 'p1:note'],
    [12, 1, 2, null],
    [13, 2, 1, 'p2:note'],
    [14, 3, 3, 'p3:note'],
    [15, 3, 1, 'p3:more'],
    [16, 7, 2, 'p7:note'],
    [17, 5, 3, 'p5:note'],
  ],
  'learning.reviews': [
    [21, 1, 1, 'p1:review'],
    [22, 2, 1, 'p2:review'],
    [23, 3, 2, 'p3:review'],
    [24, 7, 3, 'p7:review'],
    [25, 4, 2, 'p4:review'],
  ],
  'learning.courses': [
    [1, 'Maths', 1],
    [2, 'Music', 2],
    [3, 'Maps', 2],
  ],
  'crm.instructors': [
    [1, 'Ada', 'NL'],
    [2, 'Bo', 'DE'],
    [3, 'Cy', 'FR'],
  ],
};

/** SQL that makes the sources. Beside each column stands its tag: the people whose value it holds, one bit each. */
export function sourceSql(): string {
  const made = SOURCES.map(({ table, columns }) => {
    const owner = columns.findIndex(({ name }) => name === 'learner_id');
    const rows = ROWS[table]!.map((row) => {
      const bit = owner < 0 ? 0 : bitOf(Number(row[owner]));
      return `(${row.map((cell) => `${literal(cell)}, ${cell === null ? 0 : bit}`).join(', ')})`;
    });
    const types = columns.map(({ name, type }) => `"${name}" ${duckType(type)}, "${name}#" INTEGER`);
    return `CREATE TABLE ${table} (${types.join(', ')}); INSERT INTO ${table} VALUES ${rows.join(', ')};`;
  });
  return `CREATE SCHEMA crm; CREATE SCHEMA learning; CREATE SCHEMA mart; ${made.join('\n')}`;
}

export function bitOf(person: number): number {
  return 2 ** person;
}

export function duckType(type: Column['type']): string {
  return type === 'long' ? 'BIGINT' : 'VARCHAR';
}

function literal(cell: Cell): string {
  return cell === null ? 'NULL' : typeof cell === 'number' ? String(cell) : `'${cell}'`;
}
