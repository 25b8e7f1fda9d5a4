import { expect, test } from 'vitest';
import { prose } from '../../../src/cli/output/prose.ts';

test('fits a hundred columns, and loses no word', () => {
  const sentence = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
  const lines = prose(sentence).split('\n').slice(0, -1);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  expect(lines.join(' ')).toBe(sentence);
});

test('keeps a long path whole, to be copied', () => {
  const path = `/lake/${'folder/'.repeat(20)}file.parquet`;
  expect(prose(`There is no folder ${path}. Check it`)).toBe(`There is no folder\n${path}.\nCheck it\n`);
});

test('shows control characters by their numbers', () => {
  expect(prose('a\u001b[2K\nb')).toBe('a\\u{1b}[2K\\u{a}b\n');
});
