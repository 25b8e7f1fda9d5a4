import type { Found, ScanReport } from '../../scan/index.ts';
import { count, counted } from './numbers.ts';
import { printableLines } from './printable.ts';
import { shortPath } from './short-path.ts';
import { textTable } from './text-table.ts';

/** Places shown of one table; the rest is counted, and `--json` has them all. */
const SHOWN = 12;

/** A scan as text: what was sought, where the person still is, what could not be read (rule S5). */
export function scanText({ searched, folder, tables, totals }: ScanReport): string {
  const short = shortPath(folder);
  const sought = [
    searched.ids === 0 ? 'no ids' : counted(searched.ids, 'id'),
    searched.texts === 0 ? 'no texts at all' : counted(searched.texts, 'text'),
  ].join(' and ');
  return (
    printableLines([
      `Searched for ${sought} in ${counted(totals.files, 'file')}, ${count(totals.bytes)} bytes`,
      verdict(totals),
      ...(folder === null ? [] : [`Paths are below ${folder}`]),
      '',
    ]) +
    textTable(
      [
        { title: 'table' },
        { title: 'files read', align: 'right' },
        { title: 'holding', align: 'right' },
        { title: 'not proven', align: 'right' },
        { title: 'shared', align: 'right' },
      ],
      tables.map((table) => [
        short(table.table),
        count(table.files),
        count(table.holding),
        count(table.notProven),
        count(table.shared),
      ]),
    ) +
    printableLines(
      tables.flatMap(({ found, unread }) => [
        ...placesOf(found.slice(0, SHOWN), short),
        ...(found.length > SHOWN ? [`… and ${count(found.length - SHOWN)} more places`] : []),
        ...unread.map(({ file, why }) => `${short(file)}: not proven, ${why}`),
      ]),
    )
  );
}

/** The places, those of one kind in one file together. */
function placesOf(found: readonly Found[], short: (path: string) => string): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { file, kind, where, shared } of found) {
    const at = `${short(file)}: ${kind}`;
    places.set(at, [...(places.get(at) ?? []), `${where}${shared ? ' (shared)' : ''}`]);
  }
  return [...places].map(([at, wheres]) =>
    // A footer as a whole is called by its kind already.
    [at, ...wheres.filter((where) => !at.endsWith(`: ${where}`))].join(', '),
  );
}

function verdict({ holding, notProven, shared }: ScanReport['totals']): string {
  const parts = [
    holding === 0 ? 'Nothing found' : `${counted(holding, 'file holds', 'files hold')} the person`,
    ...(notProven === 0 ? [] : [`${counted(notProven, 'file')} could not be read`]),
    ...(shared === 0 ? [] : [`${counted(shared, 'file')} with traces that others share`]),
  ];
  return parts.join('; ');
}
