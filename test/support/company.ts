import type { JobRun } from './openlineage.ts';

/** A made-up company: tables as `schema.table` to `column column:type`, and the runs that build those that are derived. */
export interface Company {
  readonly tables: Readonly<Record<string, string>>;
  readonly runs: readonly JobRun[];
  readonly sources: readonly string[];
}

const DOMAINS = ['sales', 'web', 'support', 'billing', 'mobile', 'hr', 'fraud', 'ads', 'stock', 'partner'];
const WORDS = [
  'orders',
  'visits',
  'calls',
  'invoices',
  'sessions',
  'returns',
  'alerts',
  'clicks',
  'offers',
  'items',
];

/**
 * A company of `size` tables, the same for the same size: a quarter loaded from outside, the others staged, joined,
 * summed up and exported from them, with some jobs that say too little.
 */
export function company(size: number): Company {
  const chance = sequence(7);
  const tables: Record<string, string> = { 'crm.people': 'person_id name:string email:string city:string' };
  const runs: JobRun[] = [];
  const sources = ['crm.people'];
  const keyed: string[] = [];
  for (let at = 1; at < size / 4; at++) {
    const table = `${DOMAINS[at % 10]}.${WORDS[Math.floor(at / 10) % 10]}_${at}`;
    tables[table] = 'id person_id amount:double note:string happened_at:timestamptz';
    sources.push(table);
    keyed.push(table);
  }
  for (let at = sources.length; at < size; at++) {
    const from = keyed[Math.max(0, keyed.length - 1 - chance(Math.ceil(size / 5)))]!;
    const table = `${['staging', 'core', 'mart', 'export'][Math.floor((4 * at) / size)]}.${from.split('.')[1]!.replace(/_\d+$/, '')}_${at}`;
    const job = `build_${table.split('.')[1]!}`;
    switch (chance(6)) {
      case 0: {
        tables[table] = 'day:date total:double rows';
        runs.push({
          job,
          output: table,
          lifecycle: 'OVERWRITE',
          statistics: true,
          columns: { total: [[`${from}.amount`, 'AGGREGATION']], rows: [[`${from}.person_id`, 'COUNT']] },
          rows: [[`${from}.happened_at`, 'GROUP_BY']],
        });
        break;
      }
      case 1: {
        tables[table] = 'hashed:string amount:double';
        runs.push({
          job,
          output: table,
          columns: { hashed: [[`${from}.person_id`, 'HASH']], amount: [`${from}.amount`] },
        });
        break;
      }
      case 2: {
        tables[table] = 'person_id email:string amount:double note:string happened_at:timestamptz';
        runs.push({
          job,
          output: table,
          columns: {
            person_id: ['crm.people.person_id'],
            email: ['crm.people.email'],
            amount: [[`${from}.amount`, 'AGGREGATION']],
          },
          rows: [
            ['crm.people.person_id', 'JOIN'],
            [`${from}.person_id`, 'JOIN', 'GROUP_BY'],
          ],
        });
        keyed.push(table);
        break;
      }
      default: {
        tables[table] = 'person_id amount:double note:string happened_at:timestamptz';
        runs.push({
          job,
          output: table,
          columns: {
            person_id: [`${from}.person_id`],
            amount: [[`${from}.amount`, 'TRANSFORMATION']],
            note: [`${from}.note`],
            happened_at: [`${from}.happened_at`],
          },
          rows: [[`${from}.happened_at`, 'FILTER']],
        });
        keyed.push(table);
      }
    }
  }
  return { tables, runs, sources };
}

/** Whole numbers below a limit, always the same ones: a linear congruential generator. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
