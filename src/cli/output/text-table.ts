import { printable } from './printable.ts';

/** A column of a printed table. */
export interface TextColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** Columns of a terminal that a printed table never passes. */
export const PAGE_WIDTH = 100;

const GAP = '  ';
const NARROWEST = 8;

/**
 * A table as text that fits {@link PAGE_WIDTH} columns: the widest columns are narrowed first, and what does not fit in
 * a cell goes on in the next line. Ends with a line break.
 */
export function textTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const cells = [columns.map((column) => column.title), ...rows.map((row) => row.map(printable))];
  const widths = narrow(columns.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? '')))));
  const lines = cells.flatMap((row, line) => {
    const wrapped = columns.map((_, at) => wrap(row[at] ?? '', widths[at]!));
    const height = Math.max(...wrapped.map((parts) => parts.length));
    const printed = Array.from({ length: height }, (_, part) =>
      columns
        .map((column, at) => pad(wrapped[at]![part] ?? '', widths[at]!, column.align ?? 'left'))
        .join(GAP)
        .trimEnd(),
    );
    return line === 0 ? [...printed, widths.map((width) => '-'.repeat(width)).join(GAP)] : printed;
  });
  return `${lines.join('\n')}\n`;
}

/** Takes characters from the widest columns until the row fits. */
function narrow(natural: readonly number[]): readonly number[] {
  const widths = [...natural];
  const room = PAGE_WIDTH - GAP.length * (widths.length - 1);
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over -= 1) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Breaks a cell after a space or a separator of names where there is one, else in the middle of a word. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = [...text];
  while (rest.length > width) {
    const head = rest.slice(0, width + 1).join('');
    const broken =
      /^(.*[\s])\S*$/su.exec(head)?.[1] ?? /^(.*[./,_:-])[^./,_:-]*$/su.exec(head.slice(0, -1))?.[1];
    const taken = broken === undefined || [...broken].length < 2 ? rest.slice(0, width).join('') : broken;
    lines.push(taken.trimEnd());
    rest = [
      ...rest
        .slice([...taken].length)
        .join('')
        .trimStart(),
    ];
  }
  lines.push(rest.join(''));
  return lines;
}

const widthOf = (text: string): number => [...text].length;

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}
