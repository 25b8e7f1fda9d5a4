import { readFileSync } from 'node:fs';

/** The ids of the chapter's eleven examples, in the chapter's order. */
export const chapterExamples = [
  'retention-rules-due',
  'apply-retention',
  'consent-withdrawal',
  'erasure-plan',
  'erase-learner',
  'expiry-ignores-table-settings',
  'erasure-refuses-to-start',
  'sweep-unreferenced-files',
  'statistics-off-for-personal-columns',
  'verify-erasure',
  'erased-learner-returns',
] as const;

export type ChapterExample = (typeof chapterExamples)[number];

/**
 * What the chapter prints for one example, as label to value: `rows deleted: 25` is `['rows deleted', '25']`, and an
 * indented `key = value` is `['key', 'value']`. The files stand in `test/fixtures/chapter` with their source.
 */
export function chapter(example: ChapterExample): ReadonlyMap<string, string> {
  return labels(chapterText(example));
}

/** The same as the chapter prints it. */
export function chapterText(example: ChapterExample): string {
  return readFileSync(new URL(`../fixtures/chapter/${example}.txt`, import.meta.url), 'utf8');
}

/**
 * One value of the chapter. Throws where it prints no such label, so that a test cannot compare with nothing.
 */
export function printed(example: ChapterExample, label: string): string {
  const value = chapter(example).get(label);
  if (value === undefined) throw new Error(`The chapter prints no "${label}" in ${example}.`);
  return value;
}

/** One count of the chapter as a number (`9,060` is 9060). */
export function printedCount(example: ChapterExample, label: string): number {
  const text = printed(example, label);
  if (!/^\d{1,3}(,\d{3})*$/.test(text)) throw new Error(`"${label}" in ${example} is "${text}", no count.`);
  return Number(text.replaceAll(',', ''));
}

/** Splits printed lines into label and value; a line that has neither form, or a label twice, throws. */
export function labels(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, label, value] = /^ {2}(\S+) = (.*)$/.exec(line) ?? /^(.+?): (.*)$/.exec(line) ?? [];
    if (label === undefined || value === undefined) throw new Error(`Neither label nor value: "${line}"`);
    if (found.has(label)) throw new Error(`The label "${label}" is printed twice.`);
    found.set(label, value);
  }
  return found;
}
