import { type NewRow, readRows } from './arrow.ts';
import type { Pipeline } from './pipeline.ts';

/**
 * What each learner has done so far, one row per learner:
 *
 *     SELECT l.learner_id, l.country, l.signed_up_at, n.enrollments, e.events, e.last_active_at
 *     FROM crm.learners l
 *     LEFT JOIN (SELECT learner_id, count(enrollment_id) … FROM learning.enrollments GROUP BY learner_id) n USING (learner_id)
 *     LEFT JOIN (SELECT learner_id, count(event_id), max(occurred_at) … FROM learning.events GROUP BY learner_id) e USING (learner_id)
 */
export const learnerActivity: Pipeline = {
  job: 'platform.learner_activity',
  table: 'analytics.learner_activity',
  columns: [
    { name: 'learner_id', type: 'long' },
    { name: 'country', type: 'string' },
    { name: 'signed_up_at', type: 'timestamptz' },
    { name: 'enrollments', type: 'long' },
    { name: 'events', type: 'long' },
    { name: 'last_active_at', type: 'timestamptz' },
  ],
  inputs: ['crm.learners', 'learning.enrollments', 'learning.events'],
  writes: 'overwrite',
  lineage: {
    columns: {
      learner_id: [['crm.learners.learner_id', 'IDENTITY']],
      country: [['crm.learners.country', 'IDENTITY']],
      signed_up_at: [['crm.learners.signed_up_at', 'IDENTITY']],
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
  build: async (warehouse) => {
    const enrollments = new Map<unknown, number>();
    for await (const { learner_id } of readRows(warehouse, 'learning.enrollments', ['learner_id'])) {
      enrollments.set(learner_id, (enrollments.get(learner_id) ?? 0) + 1);
    }
    const activity = new Map<unknown, { events: number; last: number }>();
    for await (const row of readRows(warehouse, 'learning.events', ['learner_id', 'occurred_at'])) {
      const { events, last } = activity.get(row.learner_id) ?? { events: 0, last: -Infinity };
      activity.set(row.learner_id, { events: events + 1, last: Math.max(last, Number(row.occurred_at)) });
    }
    const rows: NewRow[] = [];
    for await (const learner of readRows(warehouse, 'crm.learners', [
      'learner_id',
      'country',
      'signed_up_at',
    ])) {
      const active = activity.get(learner.learner_id);
      rows.push({
        ...learner,
        enrollments: enrollments.get(learner.learner_id) ?? 0,
        events: active?.events ?? 0,
        last_active_at: active?.last ?? null,
      });
    }
    return rows;
  },
};
