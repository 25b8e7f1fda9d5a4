import { expect, test } from 'vitest';
import { PALETTE } from '../../../../src/erasure/plan/render/page/palette.ts';

/** Relative luminance by WCAG 2.2. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

test.each(['light', 'dark'] as const)('text on its ground has a contrast of 4.5 at least, %s', (theme) => {
  const colours = PALETTE[theme];
  const pairs: [keyof typeof colours, keyof typeof colours][] = [
    ['accent', 'glow'],
    ['accent', 'paper'],
    ['paper', 'accent'],
    ['text', 'glow'],
    ['faint', 'glow'],
  ];
  for (const ground of ['ground', 'paper'] as const) pairs.push(['text', ground], ['faint', ground]);
  for (const action of ['delete', 'rebuild', 'keep', 'clear', 'review', 'ignore'] as const)
    pairs.push([action, 'paper'], [action, `${action}-ground`], ['text', `${action}-ground`]);
  const low = pairs.filter(([text, ground]) => contrast(colours[text], colours[ground]) < 4.5);
  expect(low.map(([text, ground]) => `${text} on ${ground}`)).toEqual([]);
});
