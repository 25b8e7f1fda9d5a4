import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fold } from '../../../../src/scan/text/fold.ts';
import { localStorage } from '../../../../src/storage/index.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { field, list } from '../../../contracts/data-plane/build.ts';
import { Laboratory } from '../../../contracts/data-plane/laboratory.ts';
import { cellsOf } from '../../../contracts/data-plane/rows.ts';

const lab = new Laboratory();
beforeAll(async () => lab.open(await duckdbPlane({ storage: localStorage() })));
afterAll(() => lab.close());

const alphabet = [
  'a',
  'A',
  'b',
  "'",
  '%',
  '\\',
  'ß',
  'S',
  's',
  'ſ',
  'K',
  'e',
  '\u0301',
  'é',
  '\t',
  'İ',
  '😀',
];
const word = fc.array(fc.constantFrom(...alphabet), { maxLength: 5 }).map((letters) => letters.join(''));

type Written = Awaited<ReturnType<Laboratory['write']>>;

async function idsOf({ table, files }: Written, mayHold: readonly string[]): Promise<readonly unknown[]> {
  const ids: unknown[] = [];
  for await (const batch of lab.plane.read(table, files, { mayHold }))
    ids.push(...cellsOf(batch).map(({ id }) => id));
  return ids;
}

test('S1: no row is left out in which a text can stand, in whatever writing', async () => {
  const fields = [field(1, 'id', 'long'), field(2, 'one', 'string'), field(3, 'other', 'string')];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.option(word), fc.option(word)), { minLength: 1, maxLength: 30 }),
      fc.array(
        word.filter((text) => text !== ''),
        { maxLength: 3 },
      ),
      async (cells, words) => {
        const texts = words.map(fold);
        const rows = cells.map(([one, other], id) => ({ id: BigInt(id), one, other }));
        const given = new Set(await idsOf(await lab.write(fields, [rows]), texts));
        for (const { id, one, other } of rows) {
          const holds = [one, other].some(
            (cell) => cell !== null && texts.some((text) => fold(cell).includes(text)),
          );
          if (holds) expect(given).toContain(id);
        }
      },
    ),
    { seed: 20261130, numRuns: 40 },
  );
});

test('S1: of letters that are not ASCII, those pass that folding turns into it; others hold no ASCII text', async () => {
  const letters: string[] = [];
  for (let point = 0x80; point <= 0x10ffff; point += 1) {
    const letter = String.fromCodePoint(point);
    const forms = [
      letter.normalize('NFC'),
      letter.normalize('NFD'),
      letter.toUpperCase(),
      letter.toLowerCase(),
    ];
    if (forms.some((form) => form !== letter)) letters.push(letter);
  }
  const folded = letters.filter((letter) => [...fold(letter)].some((part) => part < '\x80'));
  expect(folded).toContain('\u212a');
  // Between marks too: what they make of a letter, and of the one before them, is no other ASCII.
  const marks = ['', '\u0301', '\u0323', '\u0307', '\u0327', '\u030c', '\u0345'];
  for (const letter of letters.filter((one) => !folded.includes(one))) {
    const written = marks.map((mark) => `${mark}${letter}${mark}`).join('');
    if ([...fold(written)].some((part) => part < '\x80')) expect.fail(`${written} folds to ASCII`);
  }
  const fields = [field(1, 'id', 'long'), field(2, 'note', 'string')];
  const others = ['José Muñoz', 'Åsa', 'Дарья', '山田'];
  const notes = [...folded.map((letter) => `x${letter}y`), ...others];
  const written = await lab.write(fields, [notes.map((note, id) => ({ id: BigInt(id), note }))]);
  expect(await idsOf(written, ['sought'])).toEqual(folded.map((_, id) => BigInt(id)));
  expect(await idsOf(written, ['sought', 'zoë'])).toEqual(notes.map((_, id) => BigInt(id)));
  expect(await idsOf(written, ['muñoz'.slice(0, 2)])).toContain(BigInt(folded.length));
});

test('plain text in which none of the texts stands is left out', async () => {
  const fields = [field(1, 'id', 'long'), field(2, 'note', 'string')];
  const written = await lab.write(fields, [
    [
      { id: 1n, note: 'Ask ALEXA Reed' },
      { id: 2n, note: 'ask anybody' },
      { id: 3n, note: null },
    ],
  ]);
  expect(await idsOf(written, ['alexa reed', 'zoë'])).toEqual([1n]);
});

test('rows with texts inside of a list are all given', async () => {
  const fields = [field(1, 'id', 'long'), field(2, 'notes', list(3, 'string'))];
  const written = await lab.write(fields, [
    [
      { id: 1n, notes: ['x'] },
      { id: 2n, notes: null },
    ],
  ]);
  expect(await idsOf(written, ['alexa reed'])).toEqual([1n, 2n]);
});
