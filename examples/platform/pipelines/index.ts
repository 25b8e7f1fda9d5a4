import { coursePerformance } from './course-performance.ts';
import { learnerActivity } from './learner-activity.ts';
import { marketingAudience } from './marketing-audience.ts';
import type { Pipeline } from './pipeline.ts';
import { reviewCorpus } from './review-corpus.ts';

/** The platform's four pipelines by the names their owners call them. */
export const pipelines = {
  learner_activity: learnerActivity,
  course_performance: coursePerformance,
  marketing_audience: marketingAudience,
  review_corpus: reviewCorpus,
} as const satisfies Readonly<Record<string, Pipeline>>;

export type PipelineName = keyof typeof pipelines;
