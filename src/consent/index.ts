export { type ConsentQuestion, type ConsentRecord, consentAt, consentsAt } from './consent-at.ts';
export { consentFilter, withConsent } from './consent-filter.ts';
export { consentRecords } from './read-records.ts';
export { type StaleOptions, type StaleTable, staleTables } from './stale-tables.ts';
export { type ConsentStanding, consentStandings, type StandingOptions } from './standing.ts';
export { type ConsentState, isGiven, parseConsentState } from './states.ts';
export { type ErasureGround, erasureGrounds } from './withdrawals.ts';
