import { makePayments } from './billing.ts';
import { chance } from './chance.ts';
import { makeEvents } from './events.ts';
import { makeCourses, makeEnrollments, makeReviews } from './learning.ts';
import { makeInstructors, makeLearners } from './people.ts';
import { makeTickets } from './support.ts';

/** A row to be: column name to value. Ids and whole numbers are numbers, instants and days milliseconds since 1970. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

const SEED = 20_261_001;
const INSTRUCTORS = 24;

/**
 * The rows of the eight source tables, the same every time. Each table has its own stream of chance, so that a change to
 * one leaves the others as they were. `withdrawn` says whether learner 3590's marketing consent already is.
 */
export function makeRows(options: { readonly withdrawn: boolean }): ReadonlyMap<string, readonly Row[]> {
  const learners = makeLearners(chance(SEED + 1), options);
  const courses = makeCourses(INSTRUCTORS, chance(SEED + 3));
  const enrollments = makeEnrollments(learners, courses, chance(SEED + 4));
  const rows: Record<string, readonly object[]> = {
    'crm.learners': learners,
    'crm.instructors': makeInstructors(INSTRUCTORS, chance(SEED + 2)),
    'learning.courses': courses,
    'learning.enrollments': enrollments,
    'learning.events': makeEvents(enrollments, chance(SEED + 5)),
    'learning.reviews': makeReviews(enrollments, chance(SEED + 6)),
    'support.tickets': makeTickets(learners, chance(SEED + 7)),
    'billing.payments': makePayments(enrollments, courses, chance(SEED + 8)),
  };
  return new Map(Object.entries(rows) as [string, readonly Row[]][]);
}
