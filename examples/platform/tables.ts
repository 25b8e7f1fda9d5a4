import type { ColumnDefinition } from 'lethe/warehouse';

const column = (name: string, type: string, required = false): ColumnDefinition => ({ name, type, required });
const required = (name: string, type: string): ColumnDefinition => column(name, type, true);

/** The columns of the eight tables that are loaded from outside, in the order in which they are made. */
export const sourceTables: Readonly<Record<string, readonly ColumnDefinition[]>> = {
  'crm.learners': [
    required('learner_id', 'long'),
    column('full_name', 'string'),
    column('email', 'string'),
    column('phone', 'string'),
    column('street_address', 'string'),
    column('city', 'string'),
    column('country', 'string'),
    column('date_of_birth', 'date'),
    column('signed_up_at', 'timestamptz'),
    column('status', 'string'),
    column('marketing_consent', 'boolean'),
    column('ai_training_consent', 'boolean'),
    column('notes', 'string'),
  ],
  'crm.instructors': [
    required('instructor_id', 'long'),
    column('full_name', 'string'),
    column('email', 'string'),
    column('headline', 'string'),
    column('joined_on', 'date'),
  ],
  'learning.courses': [
    required('course_id', 'long'),
    column('title', 'string'),
    column('subject', 'string'),
    column('level', 'string'),
    column('price_cents', 'long'),
    column('instructor_id', 'long'),
    column('published_on', 'date'),
  ],
  'learning.enrollments': [
    required('enrollment_id', 'long'),
    column('learner_id', 'long'),
    column('course_id', 'long'),
    column('enrolled_at', 'timestamptz'),
    column('completed_at', 'timestamptz'),
    column('progress', 'int'),
  ],
  'learning.events': [
    required('event_id', 'long'),
    column('learner_id', 'long'),
    column('course_id', 'long'),
    column('event_type', 'string'),
    required('occurred_at', 'timestamptz'),
    column('seconds', 'int'),
    column('ip_address', 'string'),
    column('user_agent', 'string'),
  ],
  'learning.reviews': [
    required('review_id', 'long'),
    column('learner_id', 'long'),
    column('course_id', 'long'),
    column('rating', 'int'),
    column('comment', 'string'),
    column('written_at', 'timestamptz'),
  ],
  'support.tickets': [
    required('ticket_id', 'long'),
    column('learner_id', 'long'),
    required('opened_at', 'timestamptz'),
    column('status', 'string'),
    column('category', 'string'),
    column('message', 'string'),
  ],
  'billing.payments': [
    required('payment_id', 'long'),
    column('learner_id', 'long'),
    column('course_id', 'long'),
    required('paid_at', 'timestamptz'),
    column('amount_cents', 'long'),
    column('currency', 'string'),
    column('method', 'string'),
    column('card_number', 'string'),
  ],
};
