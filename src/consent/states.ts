import { InputError } from '../errors.ts';

/** The states that a consent can be in, by the Data Privacy Vocabulary (DPV 2.3, https://w3id.org/dpv). */
export const STATES = ['given', 'refused', 'withdrawn', 'expired', 'unknown'] as const;

/** One of {@link STATES}. */
export type ConsentState = (typeof STATES)[number];

/**
 * DPV's terms. A renewed consent is given. One that the controller revoked or that was found invalid is as good as
 * withdrawn. One that was asked for and not answered is unknown.
 */
const TERMS: Readonly<Record<string, ConsentState>> = {
  given: 'given',
  refused: 'refused',
  withdrawn: 'withdrawn',
  expired: 'expired',
  unknown: 'unknown',
  consentgiven: 'given',
  renewedconsentgiven: 'given',
  consentrefused: 'refused',
  consentwithdrawn: 'withdrawn',
  consentrevoked: 'withdrawn',
  consentinvalidated: 'withdrawn',
  consentexpired: 'expired',
  consentunknown: 'unknown',
  consentrequested: 'unknown',
  consentrequestdeferred: 'unknown',
};

/**
 * Reads a recorded state: `given`, or DPV's `ConsentGiven`, `dpv:ConsentGiven`, `https://w3id.org/dpv#ConsentGiven`, in any
 * case. Throws `consent/state` for any other text, which is not shown.
 */
export function parseConsentState(text: string): ConsentState {
  const term = text
    .trim()
    .replace(/^(?:dpv:|https?:\/\/(?:w3id\.org|www\.w3\.org\/ns)\/dpv(?:\/owl)?#)/i, '')
    .toLowerCase();
  const state = Object.hasOwn(TERMS, term) ? TERMS[term] : undefined;
  if (state !== undefined) return state;
  throw new InputError('consent/state', 'A consent record has a state that is no term of DPV', {
    remedy: 'Record one of given, refused, withdrawn, expired, unknown',
  });
}

/** What a policy may read of a state (rule C2): true for `given` alone. Unknown and expired are not given (hazard 2). */
export function isGiven(state: ConsentState): boolean {
  return state === 'given';
}
