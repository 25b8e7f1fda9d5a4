import type { JobRun } from '../../support/openlineage.ts';
import { type Planning, stepOf } from './support.ts';

/** People, and what they and others left: every table that the tests of judging begin with. */
export const PEOPLE = {
  'crm.people': 'person_id name:string referrer city:string',
  'app.visits': 'visit_id person_id shop_id at:timestamp',
  'app.tickets': 'ticket_id person_id mail:string',
  'app.shops': 'shop_id label:string',
};
export const SOURCES = Object.keys(PEOPLE);

/** A plain copy of people with their key, and what the plan does with it. */
export const keyed: JobRun = {
  job: 'j',
  output: 'mart.t',
  columns: { k: ['crm.people.person_id'], name: ['crm.people.name'] },
};
export const DELETE = 'delete by k = crm.people.person_id';

/** What the plan does with `mart.t`, of these columns, after these runs. */
export async function step(
  run: JobRun | readonly JobRun[],
  columns: string,
  more: Partial<Planning> = {},
): Promise<string> {
  const runs = Array.isArray(run) ? (run as JobRun[]) : [run as JobRun];
  return stepOf({ tables: { ...PEOPLE, 'mart.t': columns }, runs, sources: SOURCES, ...more }, 'mart.t');
}
