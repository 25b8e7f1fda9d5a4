import type { Chance } from './chance.ts';
import { countBefore, DAY, OPENED, startOf, TODAY } from './days.ts';
import type { Learner } from './people.ts';
import { ticketMessages } from './words.ts';

/** The story's learner never opened a ticket. */
const STORY = 3590;

/** How many tickets, closed and still open, were opened in each stretch of time; one in its first and last millisecond. */
const stretches = [
  { from: OPENED + 5 * DAY, to: startOf('2024-10-01'), closed: 58, open: 7 },
  { from: startOf('2024-10-01'), to: startOf('2024-12-30'), closed: 53, open: 6 },
  { from: startOf('2024-12-30'), to: TODAY, closed: 1_412, open: 464 },
] as const;

/** A row of `support.tickets`. */
export interface Ticket {
  readonly ticket_id: number;
  readonly learner_id: number;
  readonly opened_at: number;
  readonly status: 'open' | 'pending' | 'closed';
  readonly category: string;
  readonly message: string | null;
}

/** What learners asked the help desk, in the order in which they asked. */
export function makeTickets(learners: readonly Learner[], chance: Chance): readonly Ticket[] {
  const signedUp = learners.map(({ signed_up_at }) => signed_up_at);
  return stretches
    .flatMap((stretch) => spread(stretch, chance))
    .sort((a, b) => a.opened_at - b.opened_at)
    .map(({ opened_at, closed }, index) => {
      const asked = 1 + Math.floor(chance.next() * countBefore(signedUp, opened_at));
      const { category, message } = chance.pick(ticketMessages);
      return {
        ticket_id: index + 1,
        learner_id: asked === STORY ? asked - 1 : asked,
        opened_at,
        status: closed ? ('closed' as const) : chance.pick(['open', 'pending'] as const),
        category,
        message: chance.happens(0.97) ? message : null,
      };
    });
}

function spread(
  stretch: (typeof stretches)[number],
  chance: Chance,
): { opened_at: number; closed: boolean }[] {
  const length = stretch.to - stretch.from;
  const total = stretch.closed + stretch.open;
  return Array.from({ length: total }, (_, index) => {
    const closed = index < stretch.closed;
    if (index === 0) return { opened_at: stretch.from, closed };
    if (index === 1) return { opened_at: stretch.to - 1, closed };
    return { opened_at: stretch.from + Math.floor(chance.next() * length), closed };
  });
}
