import { printable } from './printable.ts';
import { PAGE_WIDTH } from './text-table.ts';

/**
 * A sentence as lines that fit the page, each made {@link printable}. It is broken at spaces alone: a path or a name that
 * is longer stays whole, so that it can be copied. Ends with a line break.
 */
export function prose(text: string): string {
  const lines: string[] = [''];
  for (const word of printable(text).split(' ')) {
    const line = lines.at(-1)!;
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && [...longer].length > PAGE_WIDTH) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return `${lines.join('\n')}\n`;
}
