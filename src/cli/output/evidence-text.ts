import type { Evidence, EvidenceTable } from '../../erasure/index.ts';
import { count, counted } from './numbers.ts';
import { printableLines } from './printable.ts';
import { textTable } from './text-table.ts';

/** Evidence as text: what was done to each table, and what a read of every file found afterwards. */
export function evidenceText(evidence: Evidence): string {
  const { request, dryRun, tables, totals, young, elsewhere } = evidence;
  const clean = totals.filesHolding === 0 && totals.notProven === 0;
  return (
    printableLines([
      dryRun ? `${request}: what would be done; nothing was changed` : `${request}: done`,
      `${counted(tables.length, 'table')} visited, ${counted(totals.rows, 'row')} deleted`,
      `${counted(totals.filesRead, 'file')} read afterwards, ${count(totals.filesHolding)} holding the person` +
        (totals.notProven === 0 ? '' : `, ${count(totals.notProven)} that could not be read`),
      clean ? 'The person is gone from every file.' : 'THE PERSON IS NOT PROVEN GONE.',
      '',
    ]) +
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
          noteOf(table),
        ]),
        ...elsewhere.map((place) => [
          place.table,
          'not in the plan',
          '0',
          count(place.filesRead),
          count(place.filesHolding),
          '',
        ]),
      ],
    ) +
    printableLines([
      ...tables.flatMap(({ unread }) => unread.map(({ file, why }) => `${file}: not proven, ${why}`)),
      ...young.map(
        ({ file, sweepableFrom }) => `${file} is too young to remove: it can go from ${sweepableFrom}`,
      ),
      `evidence ${evidence.digest}`,
    ])
  );
}

function noteOf({ cleared, job, propertiesMissing, reason }: EvidenceTable): string {
  return [
    ...(cleared.length === 0 ? [] : [`cleared ${cleared.join(', ')}`]),
    ...(job === null ? [] : [`built again by ${job}`]),
    ...(reason === null ? [] : [reason]),
    ...(propertiesMissing.length === 0
      ? []
      : [`lacks ${counted(propertiesMissing.length, 'property', 'properties')}`]),
  ].join('; ');
}
