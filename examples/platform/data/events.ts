import type { Chance } from './chance.ts';
import { countBefore, DAY, OPENED, startOf, TODAY } from './days.ts';
import type { Enrollment } from './learning.ts';
import { userAgents } from './words.ts';

const STORY = { learner: 3590, events: 19 } as const;

/**
 * How many events fall into each stretch of time: the platform grew slowly, and then fast. Each stretch has an event in
 * its first and in its last millisecond, where a wrong comparison shows.
 */
const stretches = [
  { from: OPENED + 20 * DAY, to: startOf('2025-10-01'), events: 9_060 },
  { from: startOf('2025-10-01'), to: startOf('2025-12-30'), events: 6_485 },
  { from: startOf('2025-12-30'), to: TODAY, events: 84_455 },
] as const;

/** A row of `learning.events`. */
export interface LearningEvent {
  readonly event_id: number;
  readonly learner_id: number;
  readonly course_id: number | null;
  readonly event_type: string;
  readonly occurred_at: number;
  readonly seconds: number | null;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
}

/** What learners do in courses they are enrolled in, in the order of time. */
export function makeEvents(enrollments: readonly Enrollment[], chance: Chance): readonly LearningEvent[] {
  const instants = stretches.flatMap((stretch) => spread(stretch, chance)).sort((a, b) => a - b);
  const own = enrollments.filter(({ learner_id }) => learner_id === STORY.learner);
  const others = enrollments.filter(({ learner_id }) => learner_id !== STORY.learner);
  const enrolledAt = others.map(({ enrolled_at }) => enrolled_at);
  const turns = turnsOfStory(instants, own);
  return instants.map((instant, index) => {
    const enrollment = turns.has(index)
      ? chance.pick(own)
      : recent(others, countBefore(enrolledAt, instant), chance);
    return { event_id: index + 1, ...draftEvent(enrollment, instant, chance) };
  });
}

/** Instants that get denser towards the end of the stretch, its first and last millisecond among them. */
function spread(stretch: (typeof stretches)[number], chance: Chance): number[] {
  const length = stretch.to - stretch.from;
  const inner = Array.from(
    { length: stretch.events - 2 },
    () => stretch.from + Math.floor(Math.sqrt(chance.next()) * length),
  );
  return [stretch.from, ...inner, stretch.to - 1];
}

/** The positions of the story's events: evenly over the time since their last enrollment. */
function turnsOfStory(instants: readonly number[], own: readonly Enrollment[]): ReadonlySet<number> {
  const first = countBefore(instants, Math.max(...own.map(({ enrolled_at }) => enrolled_at)) + 1);
  const step = Math.floor((instants.length - first) / (STORY.events + 1));
  return new Set(Array.from({ length: STORY.events }, (_, turn) => first + (turn + 1) * step));
}

/** One of the first `known` enrollments, later ones more often. */
function recent(enrollments: readonly Enrollment[], known: number, chance: Chance): Enrollment {
  return enrollments[Math.floor(Math.sqrt(chance.next()) * known)]!;
}

function draftEvent(
  enrollment: Enrollment,
  instant: number,
  chance: Chance,
): Omit<LearningEvent, 'event_id'> {
  const type = chance.pick([
    'sign_in',
    'lesson_started',
    'lesson_finished',
    'lesson_finished',
    'quiz_answered',
    'video_played',
  ]);
  const timed = type === 'lesson_finished' || type === 'video_played';
  return {
    learner_id: enrollment.learner_id,
    course_id: type === 'sign_in' ? null : enrollment.course_id,
    event_type: type,
    occurred_at: instant,
    seconds: timed ? chance.int(20, 2_400) : null,
    ip_address: chance.happens(0.96) ? ipAddress(chance) : null,
    user_agent: chance.happens(0.94) ? chance.pick(userAgents) : null,
  };
}

/** From the ranges that are kept for documentation. */
function ipAddress(chance: Chance): string {
  if (chance.happens(0.1)) return `2001:db8::${chance.int(1, 65_535).toString(16)}`;
  return `${chance.pick(['192.0.2', '198.51.100', '203.0.113'])}.${chance.int(1, 254)}`;
}
