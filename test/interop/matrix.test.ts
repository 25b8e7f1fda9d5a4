import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { matrixTables } from './matrix/document.ts';

const DOCUMENT = fileURLToPath(new URL('../../docs/interop.md', import.meta.url));
const [BEGIN, END] = ['<!-- the matrix: made by test/interop -->\n', '<!-- the end of the matrix -->'];

test('docs/interop.md holds the matrix that the run proves', async () => {
  const text = await readFile(DOCUMENT, 'utf8');
  const from = text.indexOf(BEGIN) + BEGIN.length;
  const made = `${text.slice(0, from)}\n${matrixTables()}\n${text.slice(text.indexOf(END))}`;
  // LETHE_WRITE_DOCS=1 npm run test:interop -- matrix
  if (process.env.LETHE_WRITE_DOCS === '1') await writeFile(DOCUMENT, made);
  expect(made).toBe(await readFile(DOCUMENT, 'utf8'));
});
