import type { Chance } from './chance.ts';
import { DAY, OPENED, startOf, TODAY } from './days.ts';
import { firstNames, headlines, lastNames, mailDomains, notes, places, streetEndings } from './words.ts';

/** How many learners the platform has. */
const LEARNERS = 5_000;
/** How many learners marketing may write to: active, and said yes. */
const REACHABLE = 1_861;
/** The day on which the platform began to ask about AI training; who signed up earlier was never asked. */
const ASKED_ABOUT_AI = startOf('2025-03-01');

/** A row of `crm.learners`; instants in milliseconds. */
export interface Learner {
  readonly learner_id: number;
  readonly full_name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly street_address: string | null;
  readonly city: string;
  readonly country: string;
  readonly date_of_birth: number | null;
  readonly signed_up_at: number;
  readonly status: 'active' | 'paused' | 'closed';
  readonly marketing_consent: boolean | null;
  readonly ai_training_consent: boolean | null;
  readonly notes: string | null;
}

/** A row of `crm.instructors`. */
export interface Instructor {
  readonly instructor_id: number;
  readonly full_name: string;
  readonly email: string;
  readonly headline: string;
  readonly joined_on: number;
}

/** The learner whose requests the story follows; they typed their email in capitals, so that it sorts before all others. */
const reed = {
  learner_id: 3590,
  full_name: 'Alexa Reed',
  email: 'ALEXA590@POST.EXAMPLE',
  phone: '541-382-5880 x7421',
  street_address: '87199 Jacob Radials Apt. 512',
  status: 'active',
  ai_training_consent: true,
  notes: null,
} as const;

/** The learner whose email sorts after all others. */
const haase = {
  learner_id: 4998,
  full_name: 'Zofia Haase',
  email: 'zofia.haase@example.com',
  phone: '930-617-2264 x8153',
  street_address: '40516 Kastanien Terrasse 9',
  status: 'active',
} as const;

/** Every learner in the order of their ids, which is the order in which they signed up. */
export function makeLearners(chance: Chance, options: { readonly withdrawn: boolean }): readonly Learner[] {
  const drafts = Array.from({ length: LEARNERS }, (_, index) => draftLearner(index + 1, chance));
  const others = drafts.filter(
    ({ learner_id, status }) => status === 'active' && learner_id !== reed.learner_id,
  );
  const reachable = new Set(
    chance.shuffle(others.map(({ learner_id }) => learner_id)).slice(0, REACHABLE - 1),
  );
  return drafts.map((draft) => {
    const refused = chance.happens(0.6) ? false : null;
    if (draft.learner_id === reed.learner_id) return { ...draft, marketing_consent: !options.withdrawn };
    if (draft.status !== 'active')
      return { ...draft, marketing_consent: chance.happens(0.4) ? true : refused };
    return { ...draft, marketing_consent: reachable.has(draft.learner_id) ? true : refused };
  });
}

function draftLearner(id: number, chance: Chance): Learner {
  const name = fullName(chance);
  const place = chance.pick(places);
  const signedUp = signUp(id);
  const draft: Learner = {
    learner_id: id,
    full_name: name,
    email: email(name, String(id), chance),
    phone: chance.happens(0.9) ? phone(chance) : null,
    street_address: chance.happens(0.95) ? streetAddress(chance) : null,
    city: place.city,
    country: place.country,
    date_of_birth: chance.happens(0.97) ? startOf('1955-01-01') + chance.int(0, 18_000) * DAY : null,
    signed_up_at: signedUp,
    status: chance.happens(0.78) ? 'active' : chance.pick(['paused', 'closed'] as const),
    marketing_consent: null,
    ai_training_consent: signedUp < ASKED_ABOUT_AI ? null : chance.happens(0.62),
    notes: chance.happens(0.15) ? chance.pick(notes) : null,
  };
  if (id === reed.learner_id) return { ...draft, ...reed };
  return id === haase.learner_id ? { ...draft, ...haase } : draft;
}

/** More learners sign up every month: a power below one spreads the ids so. */
function signUp(id: number): number {
  const open = TODAY - OPENED - 2 * DAY;
  return OPENED + Math.floor(((id - 1) / LEARNERS) ** 0.6 * open);
}

/** The people who teach. */
export function makeInstructors(count: number, chance: Chance): readonly Instructor[] {
  return Array.from({ length: count }, (_, index) => {
    const name = fullName(chance);
    return {
      instructor_id: index + 1,
      full_name: name,
      email: email(name, `.t${index + 1}`, chance),
      headline: chance.pick(headlines),
      joined_on: OPENED + chance.int(0, 500) * DAY,
    };
  });
}

function fullName(chance: Chance): string {
  return `${chance.pick(firstNames)} ${chance.pick(lastNames)}`;
}

/** Lower case and ASCII, as most people type it; the mark keeps it unique. */
function email(name: string, mark: string, chance: Chance): string {
  const ascii = name.normalize('NFD').replace(/ł/gi, 'l').replace(/ı/g, 'i').replace(/ø/gi, 'o');
  const local = ascii
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replace(' ', '.');
  return `${local}${mark}@${chance.pick(mailDomains)}`;
}

function phone(chance: Chance): string {
  const digits = (count: number): string => String(chance.int(0, 10 ** count - 1)).padStart(count, '0');
  const number = `2${digits(2)}-${digits(3)}-${digits(4)}`;
  return chance.happens(0.2) ? `${number} x${digits(4)}` : number;
}

function streetAddress(chance: Chance): string {
  const street = `${chance.int(1, 39_999)} ${chance.pick(lastNames)} ${chance.pick(streetEndings)}`;
  return chance.happens(0.3) ? `${street} Apt. ${chance.int(1, 999)}` : street;
}
