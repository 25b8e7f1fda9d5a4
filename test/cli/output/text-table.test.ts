import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PAGE_WIDTH, textTable } from '../../../src/cli/output/text-table.ts';

const columns = [{ title: 'table' }, { title: 'rows', align: 'right' }, { title: 'why' }] as const;

describe('textTable', () => {
  test('aligns and underlines', () => {
    expect(
      textTable(columns, [
        ['crm.learners', '1', 'a copy'],
        ['ai.review_corpus', '12,000', ''],
      ]),
    ).toBe(
      [
        'table               rows  why',
        '----------------  ------  ------',
        'crm.learners           1  a copy',
        'ai.review_corpus  12,000',
        '',
      ].join('\n'),
    );
  });

  test('never passes the width, and loses no character but spaces', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'ü', '.', '_', ' ', '😀', '/'), maxLength: 200 });
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word, word), { maxLength: 4 }), (rows) => {
        const lines = textTable(columns, rows).split('\n').slice(0, -1);
        for (const line of lines) expect([...line].length).toBeLessThanOrEqual(PAGE_WIDTH);
        const letters = (text: string): string => [...text.replace(/[\s-]/g, '')].sort().join('');
        expect(letters(lines.slice(2).join(''))).toBe(letters(rows.flat().join('')));
      }),
      { seed: 3590, numRuns: 200 },
    );
  });

  test('shows control characters and direction marks by their numbers', () => {
    const printed = textTable([{ title: 'table' }], [['a\u001b[2Kb\u202ec\nd']]);
    expect(printed).toContain('a\\u{1b}[2Kb\\u{202e}c\\u{a}d');
  });
});
