import type { Plan } from '../plan.ts';

/** What stands below the steps of a plan, under its title; titles without a line are left out. */
export function planNotes({
  unmapped,
  unaccounted,
  findings,
}: Plan): readonly { readonly title: string; readonly lines: readonly string[] }[] {
  const notes = [
    {
      title: 'Datasets that map to no table',
      lines: unmapped.map(({ namespace, name, candidates }) =>
        candidates.length === 0
          ? `${namespace} ${name}`
          : `${namespace} ${name} (perhaps ${candidates.join(', ')})`,
      ),
    },
    { title: 'Accounted for by nobody', lines: unaccounted.map(({ name, why }) => `${name}: ${why}`) },
    {
      title: 'Remarks',
      lines: findings.map(({ table, what }) => (table === null ? what : `${table}: ${what}`)),
    },
  ];
  return notes.filter(({ lines }) => lines.length > 0);
}
