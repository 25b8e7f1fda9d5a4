import { type NewRow, readRows } from './arrow.ts';
import type { Pipeline } from './pipeline.ts';

/**
 * What the course assistant is trained on: reviews whose authors said yes, without saying who wrote them.
 *
 *     SELECT r.review_id, c.title AS course_title, r.rating, r.comment
 *     FROM learning.reviews r JOIN crm.learners l USING (learner_id) JOIN learning.courses c USING (course_id)
 *     WHERE l.ai_training_consent AND r.comment IS NOT NULL
 */
export const reviewCorpus: Pipeline = {
  job: 'platform.review_corpus',
  table: 'ai.review_corpus',
  columns: [
    { name: 'review_id', type: 'long' },
    { name: 'course_title', type: 'string' },
    { name: 'rating', type: 'int' },
    { name: 'comment', type: 'string' },
  ],
  inputs: ['learning.reviews', 'crm.learners', 'learning.courses'],
  writes: 'overwrite',
  lineage: {
    columns: {
      review_id: [['learning.reviews.review_id', 'IDENTITY']],
      course_title: [['learning.courses.title', 'IDENTITY']],
      rating: [['learning.reviews.rating', 'IDENTITY']],
      comment: [['learning.reviews.comment', 'IDENTITY']],
    },
    rows: [
      ['learning.reviews.learner_id', 'JOIN'],
      ['crm.learners.learner_id', 'JOIN'],
      ['learning.reviews.course_id', 'JOIN'],
      ['learning.courses.course_id', 'JOIN'],
      ['crm.learners.ai_training_consent', 'FILTER'],
      ['learning.reviews.comment', 'FILTER'],
    ],
  },
  build: async (warehouse) => {
    const agreed = new Set<unknown>();
    for await (const row of readRows(warehouse, 'crm.learners', ['learner_id', 'ai_training_consent'])) {
      if (row.ai_training_consent === true) agreed.add(row.learner_id);
    }
    const titles = new Map<unknown, unknown>();
    for await (const { course_id, title } of readRows(warehouse, 'learning.courses', [
      'course_id',
      'title',
    ])) {
      titles.set(course_id, title);
    }
    const rows: NewRow[] = [];
    const columns = ['review_id', 'learner_id', 'course_id', 'rating', 'comment'];
    for await (const review of readRows(warehouse, 'learning.reviews', columns)) {
      if (!agreed.has(review.learner_id) || review.comment === null || !titles.has(review.course_id))
        continue;
      rows.push({ ...review, course_title: titles.get(review.course_id) });
    }
    return rows;
  },
};
