import { type NewRow, readColumns } from './arrow.ts';
import type { Pipeline } from './pipeline.ts';

/**
 * Counts and averages per course; no row is a learner's:
 *
 *     SELECT c.course_id, c.title, count(n.enrollment_id), count(n.completed_at), e.events, r.average_rating
 *     FROM learning.courses c LEFT JOIN learning.enrollments n USING (course_id)
 *     LEFT JOIN (SELECT course_id, count(event_id) … FROM learning.events GROUP BY course_id) e USING (course_id)
 *     LEFT JOIN (SELECT course_id, avg(rating) … FROM learning.reviews GROUP BY course_id) r USING (course_id)
 *     GROUP BY c.course_id, c.title …
 *
 * It drops its table and makes it again, which loses the table's properties.
 */
export const coursePerformance: Pipeline = {
  job: 'platform.course_performance',
  table: 'analytics.course_performance',
  columns: [
    { name: 'course_id', type: 'long' },
    { name: 'title', type: 'string' },
    { name: 'enrollments', type: 'long' },
    { name: 'completions', type: 'long' },
    { name: 'events', type: 'long' },
    { name: 'average_rating', type: 'double' },
  ],
  inputs: ['learning.courses', 'learning.enrollments', 'learning.events', 'learning.reviews'],
  writes: 'recreate',
  lineage: {
    columns: {
      course_id: [['learning.courses.course_id', 'IDENTITY']],
      title: [['learning.courses.title', 'IDENTITY']],
      enrollments: [['learning.enrollments.enrollment_id', 'COUNT']],
      completions: [['learning.enrollments.completed_at', 'COUNT']],
      events: [['learning.events.event_id', 'COUNT']],
      average_rating: [['learning.reviews.rating', 'AGGREGATION']],
    },
    rows: [
      ['learning.courses.course_id', 'JOIN', 'GROUP_BY'],
      ['learning.courses.title', 'GROUP_BY'],
      ['learning.enrollments.course_id', 'JOIN', 'GROUP_BY'],
      ['learning.events.course_id', 'JOIN', 'GROUP_BY'],
      ['learning.reviews.course_id', 'JOIN', 'GROUP_BY'],
    ],
  },
  build: async (warehouse) => {
    const courses = new Map<unknown, Course>();
    for await (const [ids, titles] of readColumns(warehouse, 'learning.courses', ['course_id', 'title'])) {
      ids!.forEach((course_id, row) => {
        const title = titles![row];
        courses.set(course_id, { course_id, title, enrollments: 0, completions: 0, events: 0, ratings: [] });
      });
    }
    const enrolled = ['course_id', 'completed_at'];
    for await (const [ids, completed] of readColumns(warehouse, 'learning.enrollments', enrolled)) {
      ids!.forEach((id, row) => {
        const course = courses.get(id);
        if (course === undefined) return;
        course.enrollments++;
        if (completed![row] !== null) course.completions++;
      });
    }
    for await (const [ids] of readColumns(warehouse, 'learning.events', ['course_id'])) {
      for (const id of ids!) {
        const course = courses.get(id);
        if (course !== undefined) course.events++;
      }
    }
    for await (const [ids, ratings] of readColumns(warehouse, 'learning.reviews', ['course_id', 'rating'])) {
      ids!.forEach((id, row) => {
        const rating = ratings![row];
        if (rating !== null) courses.get(id)?.ratings.push(Number(rating));
      });
    }
    return [...courses.values()].map(
      ({ ratings, ...course }): NewRow => ({ ...course, average_rating: mean(ratings) }),
    );
  },
};

interface Course {
  readonly course_id: unknown;
  readonly title: unknown;
  enrollments: number;
  completions: number;
  events: number;
  readonly ratings: number[];
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
