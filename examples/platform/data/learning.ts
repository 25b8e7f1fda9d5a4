import type { Chance } from './chance.ts';
import { DAY, OPENED, TODAY } from './days.ts';
import type { Learner } from './people.ts';
import { comments, levels, subjects } from './words.ts';

/** The learner whose rows the story counts: how many enrollments, and which review is theirs. */
const STORY = { learner: 3590, enrollments: 2, review: 1199 } as const;
const REVIEWS = 1_500;

/** A row of `learning.courses`. */
export interface Course {
  readonly course_id: number;
  readonly title: string;
  readonly subject: string;
  readonly level: string;
  readonly price_cents: number;
  readonly instructor_id: number;
  readonly published_on: number;
}

/** A row of `learning.enrollments`. */
export interface Enrollment {
  readonly enrollment_id: number;
  readonly learner_id: number;
  readonly course_id: number;
  readonly enrolled_at: number;
  readonly completed_at: number | null;
  readonly progress: number | null;
}

/** A row of `learning.reviews`. */
export interface Review {
  readonly review_id: number;
  readonly learner_id: number;
  readonly course_id: number;
  readonly rating: number;
  readonly comment: string | null;
  readonly written_at: number;
}

/** A course for every topic at every level. */
export function makeCourses(instructors: number, chance: Chance): readonly Course[] {
  const plans = subjects.flatMap(({ subject, topics }) =>
    topics.flatMap((topic) => levels.map((level) => ({ subject, topic, level }))),
  );
  return plans.map(({ subject, topic, level }, index) => ({
    course_id: index + 1,
    title: `${topic}: ${level}`,
    subject,
    level,
    price_cents: chance.int(9, 60) * 1_000 - 100,
    instructor_id: chance.int(1, instructors),
    published_on: OPENED + chance.int(0, 20) * DAY,
  }));
}

/** Who takes which course, in the order of enrollment; no one takes a course twice. */
export function makeEnrollments(
  learners: readonly Learner[],
  courses: readonly Course[],
  chance: Chance,
): readonly Enrollment[] {
  const drafts = learners.flatMap((learner) => {
    const count =
      learner.learner_id === STORY.learner ? STORY.enrollments : chance.pick([0, 1, 1, 2, 2, 3, 5]);
    const taken = new Set(Array.from({ length: count * 2 }, () => chance.pick(courses).course_id));
    return [...taken].slice(0, count).map((course) => draftEnrollment(learner, course, chance));
  });
  return drafts
    .sort((a, b) => a.enrolled_at - b.enrolled_at)
    .map((draft, index) => ({ ...draft, enrollment_id: index + 1 }));
}

function draftEnrollment(
  learner: Learner,
  course: number,
  chance: Chance,
): Omit<Enrollment, 'enrollment_id'> {
  const left = TODAY - learner.signed_up_at - DAY;
  // The story's learner starts within two days, so that there is time for all they do.
  const wait = learner.learner_id === STORY.learner ? 2 * DAY : Math.min(left, 240 * DAY);
  const enrolled = learner.signed_up_at + Math.floor(chance.next() ** 2 * wait);
  const done = enrolled + chance.int(10, 120) * DAY;
  const completed = done < TODAY && chance.happens(0.45);
  return {
    learner_id: learner.learner_id,
    course_id: course,
    enrolled_at: enrolled,
    completed_at: completed ? done : null,
    progress: completed ? 100 : chance.happens(0.1) ? null : chance.int(0, 95),
  };
}

/** What learners say of courses they took, in the order in which they wrote it. */
export function makeReviews(enrollments: readonly Enrollment[], chance: Chance): readonly Review[] {
  const soon = TODAY - 4 * DAY;
  const others = enrollments.filter((each) => each.learner_id !== STORY.learner && each.enrolled_at < soon);
  const drafts = chance
    .shuffle(others)
    .slice(0, REVIEWS - 1)
    .map((each) =>
      draftReview(
        each,
        each.enrolled_at + chance.int(1, Math.floor((TODAY - each.enrolled_at) / DAY) - 1) * DAY,
        chance,
      ),
    )
    .sort((a, b) => a.written_at - b.written_at);
  const at = STORY.review - 1;
  const own = enrollments.find((each) => each.learner_id === STORY.learner)!;
  const written = drafts[at]!.written_at;
  drafts.splice(at, 0, { ...draftReview(own, written, chance), comment: comments[5], rating: 4 });
  return drafts.map((draft, index) => ({ ...draft, review_id: index + 1 }));
}

function draftReview(enrollment: Enrollment, written: number, chance: Chance): Omit<Review, 'review_id'> {
  const second = chance.happens(0.4) ? ` ${chance.pick(comments)}` : '';
  return {
    learner_id: enrollment.learner_id,
    course_id: enrollment.course_id,
    rating: chance.pick([1, 2, 3, 3, 4, 4, 4, 5, 5, 5]),
    comment: chance.happens(0.92) ? `${chance.pick(comments)}${second}` : null,
    written_at: written,
  };
}
