import { InputError } from '../errors.ts';

/** An ISO 8601 calendar period, `P2Y`, `P1M10D`. */
export interface Period {
  readonly years: number;
  readonly months: number;
  readonly days: number;
}

const PERIOD = /^P(?=\d)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?$/;

/** Reads an ISO 8601 period of years, months, weeks and days. Throws `values/period`, also for a period of nothing. */
export function parsePeriod(text: string): Period {
  const found = PERIOD.exec(text);
  const [years, months, weeks, days] = (found ?? []).slice(1).map((part) => Number(part ?? 0));
  const period = { years: years ?? 0, months: months ?? 0, days: (weeks ?? 0) * 7 + (days ?? 0) };
  if (found === null || period.years + period.months + period.days === 0) {
    throw new InputError('values/period', `${JSON.stringify(text)} is no period`, {
      remedy: 'Write an ISO 8601 period of whole years, months or days, such as "P2Y", "P18M" or "P1M10D"',
      data: { found: text },
    });
  }
  return period;
}

/** A period as ISO 8601 text. */
export function formatPeriod(period: Period): string {
  const part = (count: number, unit: string) => (count === 0 ? '' : `${count}${unit}`);
  return `P${part(period.years, 'Y')}${part(period.months, 'M')}${part(period.days, 'D')}`;
}
