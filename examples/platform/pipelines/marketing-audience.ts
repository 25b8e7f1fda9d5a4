import { type NewRow, type ReadRow, readRows } from './arrow.ts';
import type { Pipeline } from './pipeline.ts';

/**
 * Whom a campaign may write to, and about what: active learners who said yes and took a course.
 *
 *     SELECT l.learner_id, l.full_name, l.email, l.country, string_agg(DISTINCT c.subject), max(n.enrolled_at)
 *     FROM crm.learners l JOIN learning.enrollments n USING (learner_id) JOIN learning.courses c USING (course_id)
 *     WHERE l.marketing_consent AND l.status = 'active'
 *     GROUP BY l.learner_id, l.full_name, l.email, l.country
 */
export const marketingAudience: Pipeline = {
  job: 'platform.marketing_audience',
  table: 'marketing.audience',
  columns: [
    { name: 'learner_id', type: 'long' },
    { name: 'full_name', type: 'string' },
    { name: 'email', type: 'string' },
    { name: 'country', type: 'string' },
    { name: 'subjects', type: 'string' },
    { name: 'last_enrolled_at', type: 'timestamptz' },
  ],
  inputs: ['crm.learners', 'learning.enrollments', 'learning.courses'],
  writes: 'overwrite',
  lineage: {
    columns: {
      learner_id: [['crm.learners.learner_id', 'IDENTITY']],
      full_name: [['crm.learners.full_name', 'IDENTITY']],
      email: [['crm.learners.email', 'IDENTITY']],
      country: [['crm.learners.country', 'IDENTITY']],
      subjects: [['learning.courses.subject', 'AGGREGATION']],
      last_enrolled_at: [['learning.enrollments.enrolled_at', 'AGGREGATION']],
    },
    rows: [
      ['crm.learners.learner_id', 'JOIN', 'GROUP_BY'],
      ['crm.learners.full_name', 'GROUP_BY'],
      ['crm.learners.email', 'GROUP_BY'],
      ['crm.learners.country', 'GROUP_BY'],
      ['crm.learners.marketing_consent', 'FILTER'],
      ['crm.learners.status', 'FILTER'],
      ['learning.enrollments.learner_id', 'JOIN'],
      ['learning.enrollments.course_id', 'JOIN'],
      ['learning.courses.course_id', 'JOIN'],
    ],
  },
  build: async (warehouse) => {
    const subjects = new Map<unknown, string>();
    for await (const { course_id, subject } of readRows(warehouse, 'learning.courses', [
      'course_id',
      'subject',
    ])) {
      subjects.set(course_id, String(subject));
    }
    const taken = new Map<unknown, { readonly subjects: Set<string>; last: number }>();
    for await (const row of readRows(warehouse, 'learning.enrollments', [
      'learner_id',
      'course_id',
      'enrolled_at',
    ])) {
      const subject = subjects.get(row.course_id);
      if (subject === undefined) continue;
      const of = taken.get(row.learner_id) ?? { subjects: new Set<string>(), last: -Infinity };
      of.subjects.add(subject);
      of.last = Math.max(of.last, Number(row.enrolled_at));
      taken.set(row.learner_id, of);
    }
    const rows: NewRow[] = [];
    const columns = ['learner_id', 'full_name', 'email', 'country', 'marketing_consent', 'status'];
    for await (const learner of readRows(warehouse, 'crm.learners', columns)) {
      const of = taken.get(learner.learner_id);
      if (of === undefined || !mayBeWrittenTo(learner)) continue;
      rows.push({ ...learner, subjects: [...of.subjects].sort().join(', '), last_enrolled_at: of.last });
    }
    return rows;
  },
};

/** Unknown is no. */
function mayBeWrittenTo(learner: ReadRow): boolean {
  return learner.marketing_consent === true && learner.status === 'active';
}
