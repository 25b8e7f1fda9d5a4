import { type Evidence, type EvidenceTable, isClean } from '../../erasure/index.ts';
import { count, counted } from './numbers.ts';
import { printableLines } from './printable.ts';
import { prose } from './prose.ts';
import { shortPath } from './short-path.ts';
import { textTable } from './text-table.ts';

/**
 * Evidence as text: what was done to each table, and what a read of every file found afterwards. `folder` is where the
 * evidence was written; paths are shown from the warehouse's folder `root` on, where it has one.
 */
export function evidenceText(
  evidence: Evidence,
  { folder, root }: { readonly folder: string; readonly root: string | null },
): string {
  const { tables, elsewhere, young, dryRun, digest } = evidence;
  const short = shortPath(root);
  return (
    printableLines([...summaryOf(evidence), '']) +
    textTable(
      [
        { title: 'table' },
        { title: 'action' },
        { title: 'rows', align: 'right' },
        { title: 'files read', align: 'right' },
        { title: 'holding', align: 'right' },
        { title: 'note' },
      ],
      [
        ...tables.map((table) => [
          table.table,
          table.action,
          count(table.rows),
          count(table.filesRead),
          count(table.filesHolding),
          noteOf(table, dryRun),
        ]),
        ...elsewhere.map(({ table, filesRead, filesHolding }) => [
          short(table),
          '',
          '',
          count(filesRead),
          count(filesHolding),
          'not in the plan',
        ]),
      ],
    ) +
    [
      '',
      ...tables.flatMap(({ table, reason, decidedBy }) =>
        reason === null ? [] : [`${table}, decided by ${decidedBy ?? 'nobody'}: ${reason}`],
      ),
      ...sinceOf(evidence),
      ...missingOf(tables),
      ...[...tables, ...elsewhere].flatMap(({ unread }) =>
        unread.map(({ file, why }) => `${short(file)}: not proven, ${why}`),
      ),
      ...tables.flatMap(({ table, versions }) =>
        versions === null || versions.left === 0 ? [] : [versionsText(table, versions)],
      ),
      ...young.map(
        ({ file, sweepableFrom }) => `${short(file)} is too young to remove: it can go from ${sweepableFrom}`,
      ),
      dryRun ? 'No evidence was written.' : `evidence ${digest}, in ${folder}`,
    ]
      .map(prose)
      .join('')
  );
}

function versionsText(table: string, { left, why }: NonNullable<EvidenceTable['versions']>): string {
  const said = why.length === 0 ? '' : ` (${why.join(', ')})`;
  return `${table}: ${counted(left, 'old version')} of its files could not be removed${said}, and the scan has read them`;
}

function summaryOf(evidence: Evidence): readonly string[] {
  const { request, dryRun, tables, totals } = evidence;
  const unread = totals.notProven === 0 ? '' : `, ${count(totals.notProven)} that could not be read`;
  const read = `${counted(totals.filesRead, 'file')} read, ${count(totals.filesHolding)} holding the person${unread}`;
  if (dryRun) {
    return [
      `${request}: a dry run; nothing was changed`,
      `${counted(tables.length, 'table')} in the plan, ${counted(totals.rows, 'row')} to delete`,
      read,
    ];
  }
  return [
    `${request}: done`,
    `${counted(tables.length, 'table')} visited, ${counted(totals.rows, 'row')} deleted`,
    `${read} afterwards`,
    isClean(evidence) ? 'The person is gone from every file.' : 'THE PERSON IS NOT PROVEN GONE.',
  ];
}

function noteOf({ cleared, job }: EvidenceTable, dryRun: boolean): string {
  return [
    ...(cleared.length === 0 ? [] : [`${dryRun ? 'to clear' : 'cleared'} ${cleared.join(', ')}`]),
    ...(job === null ? [] : [`${dryRun ? 'to build again' : 'built again'} by ${job}`]),
  ].join('; ');
}

function sinceOf({ planSince }: Evidence): readonly string[] {
  // Evidence of an earlier version says nothing of it.
  if (!planSince) return [];
  const { added, gone } = planSince;
  return [
    ...(added.length === 0
      ? []
      : [
          `The plan has changed since this request began: ${added.join(', ')} came into it, and was looked into, not changed. ` +
            'Erase the same people under a new request, then run this one again if it is open',
        ]),
    ...(gone.length === 0 ? [] : [`Not there any more when this request ended: ${gone.join(', ')}`]),
  ];
}

function missingOf(tables: readonly EvidenceTable[]): readonly string[] {
  const lacking = tables.filter(({ propertiesMissing }) => propertiesMissing.length > 0);
  if (lacking.length === 0) return [];
  return [
    `Generated properties are missing from ${lacking.map(({ table }) => table).join(', ')}. ` +
      'Run lethe properties --apply',
  ];
}
