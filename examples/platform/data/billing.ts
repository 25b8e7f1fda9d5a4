import type { Chance } from './chance.ts';
import { DAY, TODAY } from './days.ts';
import type { Course, Enrollment } from './learning.ts';

const PAYMENTS = 17_562;
/** The story's learner paid each course at once. */
const STORY = 3590;

/** A row of `billing.payments`. */
export interface Payment {
  readonly payment_id: number;
  readonly learner_id: number;
  readonly course_id: number;
  readonly paid_at: number;
  readonly amount_cents: number;
  readonly currency: string;
  readonly method: 'card' | 'transfer' | 'invoice';
  readonly card_number: string | null;
}

/** A payment for every enrollment, and monthly instalments for some, in the order in which they were paid. */
export function makePayments(
  enrollments: readonly Enrollment[],
  courses: readonly Course[],
  chance: Chance,
): readonly Payment[] {
  const price = new Map(courses.map((course) => [course.course_id, course.price_cents]));
  const instalments = countInstalments(enrollments, chance);
  return enrollments
    .flatMap((each, index) =>
      Array.from({ length: instalments[index]! }, (_, month) => ({
        learner_id: each.learner_id,
        course_id: each.course_id,
        paid_at: each.enrolled_at + month * 30 * DAY,
        amount_cents: Math.round(price.get(each.course_id)! / instalments[index]!),
        currency: 'EUR',
        ...paidWith(each.learner_id, chance),
      })),
    )
    .sort((a, b) => a.paid_at - b.paid_at)
    .map((draft, index) => ({ payment_id: index + 1, ...draft }));
}

/** One for each enrollment, then one more for one that has had time for it, until all payments are made. */
function countInstalments(enrollments: readonly Enrollment[], chance: Chance): number[] {
  const counts = enrollments.map(() => 1);
  for (let made = enrollments.length; made < PAYMENTS; ) {
    const index = chance.int(0, enrollments.length - 1);
    const { enrolled_at, learner_id } = enrollments[index]!;
    const paid = counts[index]!;
    if (learner_id === STORY || paid === 12 || enrolled_at + paid * 30 * DAY >= TODAY) continue;
    counts[index] = paid + 1;
    made++;
  }
  return counts;
}

function paidWith(learner: number, chance: Chance): Pick<Payment, 'method' | 'card_number'> {
  const method =
    learner === STORY || chance.happens(0.8) ? 'card' : chance.pick(['transfer', 'invoice'] as const);
  return { method, card_number: method === 'card' ? cardNumber(learner) : null };
}

/** Sixteen digits of no real card: issuer 9900, then the learner's id spread over the digits that matter. */
function cardNumber(learner: number): string {
  const spread = (BigInt(learner) * 48_271_999n) % 999_999_999_989n;
  return `9900${String(spread).padStart(12, '0')}`;
}
