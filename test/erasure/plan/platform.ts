import type { PlanTable } from '../../../src/erasure/plan/index.ts';
import { type JobRun, runEvents } from '../../support/openlineage.ts';

/** The learning platform's tables by their columns, `name` or `name:type`. */
const TABLES: Readonly<Record<string, string>> = {
  'crm.learners':
    'learner_id:long full_name:string email:string phone:string street_address:string country:string signed_up_at:timestamptz status:string marketing_consent:boolean ai_training_consent:boolean',
  'crm.instructors': 'instructor_id:long full_name:string email:string',
  'learning.courses': 'course_id:long title:string subject:string instructor_id:long',
  'learning.enrollments':
    'enrollment_id:long learner_id:long course_id:long enrolled_at:timestamptz completed_at:timestamptz',
  'learning.events':
    'event_id:long learner_id:long course_id:long event_type:string occurred_at:timestamptz ip_address:string',
  'learning.reviews': 'review_id:long learner_id:long course_id:long rating:int comment:string',
  'support.tickets': 'ticket_id:long learner_id:long opened_at:timestamptz status:string message:string',
  'billing.payments': 'payment_id:long learner_id:long course_id:long paid_at:timestamptz card_number:string',
  'analytics.learner_activity':
    'learner_id:long country:string signed_up_at:timestamptz enrollments:long events:long last_active_at:timestamptz',
  'analytics.course_performance':
    'course_id:long title:string enrollments:long completions:long events:long average_rating:double',
  'marketing.audience':
    'learner_id:long full_name:string email:string country:string subjects:string last_enrolled_at:timestamptz',
  'ai.review_corpus': 'review_id:long course_title:string rating:int comment:string',
};

/** The twelve tables of the platform. */
export const platformTables: readonly PlanTable[] = Object.entries(TABLES).map(([table, columns]) => ({
  table,
  columns: columns.split(' ').map((column) => {
    const [name, type] = column.split(':') as [string, string];
    return { name, type };
  }),
}));

/** The four pipelines as they say what they did. */
export const platformJobs: readonly JobRun[] = [
  {
    job: 'course_performance',
    output: 'analytics.course_performance',
    lifecycle: 'CREATE',
    columns: {
      course_id: ['learning.courses.course_id'],
      title: ['learning.courses.title'],
      enrollments: [['learning.enrollments.enrollment_id', 'COUNT']],
      completions: [['learning.enrollments.completed_at', 'COUNT']],
      events: [['learning.events.event_id', 'COUNT']],
      average_rating: [['learning.reviews.rating', 'AGGREGATION']],
    },
    rows: [
      ['learning.courses.course_id', 'JOIN', 'GROUP_BY'],
      ['learning.enrollments.course_id', 'JOIN', 'GROUP_BY'],
      ['learning.events.course_id', 'JOIN', 'GROUP_BY'],
      ['learning.reviews.course_id', 'JOIN', 'GROUP_BY'],
    ],
  },
  {
    job: 'learner_activity',
    output: 'analytics.learner_activity',
    lifecycle: 'OVERWRITE',
    columns: {
      learner_id: ['crm.learners.learner_id'],
      country: ['crm.learners.country'],
      signed_up_at: ['crm.learners.signed_up_at'],
      enrollments: [['learning.enrollments.enrollment_id', 'COUNT']],
      events: [['learning.events.event_id', 'COUNT']],
      last_active_at: [['learning.events.occurred_at', 'AGGREGATION']],
    },
    rows: [
      ['crm.learners.learner_id', 'JOIN'],
      ['learning.enrollments.learner_id', 'JOIN', 'GROUP_BY'],
      ['learning.events.learner_id', 'JOIN', 'GROUP_BY'],
    ],
  },
  {
    job: 'marketing_audience',
    output: 'marketing.audience',
    lifecycle: 'OVERWRITE',
    columns: {
      learner_id: ['crm.learners.learner_id'],
      full_name: ['crm.learners.full_name'],
      email: ['crm.learners.email'],
      country: ['crm.learners.country'],
      subjects: [['learning.courses.subject', 'AGGREGATION']],
      last_enrolled_at: [['learning.enrollments.enrolled_at', 'AGGREGATION']],
    },
    rows: [
      ['crm.learners.learner_id', 'JOIN', 'GROUP_BY'],
      ['crm.learners.marketing_consent', 'FILTER'],
      ['crm.learners.status', 'FILTER'],
      ['learning.enrollments.learner_id', 'JOIN'],
      ['learning.enrollments.course_id', 'JOIN'],
      ['learning.courses.course_id', 'JOIN'],
    ],
  },
  {
    job: 'review_corpus',
    output: 'ai.review_corpus',
    lifecycle: 'OVERWRITE',
    columns: {
      review_id: ['learning.reviews.review_id'],
      course_title: ['learning.courses.title'],
      rating: ['learning.reviews.rating'],
      comment: ['learning.reviews.comment'],
    },
    rows: [
      ['learning.reviews.learner_id', 'JOIN'],
      ['crm.learners.learner_id', 'JOIN'],
      ['learning.reviews.course_id', 'JOIN'],
      ['learning.courses.course_id', 'JOIN'],
      ['crm.learners.ai_training_consent', 'FILTER'],
    ],
  },
];

/** What the pipelines send. */
export const platformEvents = (): readonly Record<string, unknown>[] => platformJobs.flatMap(runEvents);
