import type { DatasetNames, NamedDataset } from '../../lineage/index.ts';
import { counted } from './numbers.ts';
import { printableLines } from './printable.ts';
import { textTable } from './text-table.ts';

/** Which table each dataset became, and what to look at: unmapped datasets first. */
export function namesText({ datasets, findings }: DatasetNames): string {
  const unmapped = datasets.filter(({ state }) => state === 'unmapped');
  const others = datasets.filter(({ state }) => state !== 'unmapped');
  return (
    printableLines([`${counted(datasets.length, 'dataset')}, ${unmapped.length} without a table`, '']) +
    textTable(
      [{ title: 'dataset' }, { title: 'table' }, { title: 'by' }],
      [...unmapped, ...others].map((dataset) => [
        `${dataset.namespace} ${dataset.name}`,
        tableText(dataset),
        ruleText(dataset),
      ]),
    ) +
    (findings.length === 0
      ? ''
      : `\n${textTable(
          [{ title: 'look at' }, { title: 'table' }, { title: 'what' }, { title: 'where' }],
          findings.map(({ code, table, what, at }) => [
            code,
            table ?? '',
            what,
            at === null ? '' : `${at.file}:${at.line}`,
          ]),
        )}`)
  );
}

function tableText({ state, table, candidates }: NamedDataset): string {
  if (state === 'mapped') return table!;
  if (state === 'left-out') return table === null ? 'left out' : `${table}, left out`;
  return candidates.length === 0 ? 'none' : `none; perhaps ${candidates.join(', ')}`;
}

function ruleText({ by, declared }: NamedDataset): string {
  const place = declared === undefined ? '' : ` (${declared.file}:${declared.line})`;
  return `${by ?? ''}${place}`;
}
