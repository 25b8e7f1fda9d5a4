import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Storage } from '../../../../src/storage/storage.ts';
import { FileFault } from '../../../../src/warehouse/planes/duckdb/parquet/file-fault.ts';
import { type Footer, readFooter } from '../../../../src/warehouse/planes/duckdb/parquet/footer.ts';

const folder = fileURLToPath(new URL('../../../fixtures/data-files/', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.parquet'))
  .map((name) => readFileSync(folder + name));

/** The footer of bytes; a fault is a result, anything else that is thrown is not. */
async function read(bytes: Uint8Array): Promise<Footer | FileFault> {
  const storage = {
    read: async (_: string, { offset, length }: { readonly offset: number; readonly length: number }) =>
      Uint8Array.from(bytes.subarray(offset, offset + length)),
  } as unknown as Storage;
  try {
    return await readFooter(storage, 'x.parquet', bytes.length);
  } catch (error) {
    if (error instanceof FileFault) return error;
    throw error;
  }
}

test('a file that is cut short anywhere has no footer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), fc.nat(), async (bytes, at) => {
      expect(await read(bytes.subarray(0, at % bytes.length))).toBeInstanceOf(FileFault);
    }),
    { seed: 3590, numRuns: 500 },
  );
});

test('a footer with damaged bytes is read or is a fault of its file, never another error', async () => {
  const flips = fc.array(fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), flips, async (bytes, damage) => {
      const hurt = Uint8Array.from(bytes);
      const length = bytes.readUInt32LE(bytes.length - 8) + 8;
      for (const { at, value } of damage) hurt[hurt.length - 1 - (at % length)] = value;
      await read(hurt);
    }),
    { seed: 4998, numRuns: 3000 },
  );
});

test('a footer whose parsing would take all memory is a fault', async () => {
  const bomb = new Uint8Array(10_000_000);
  bomb.set([0x50, 0x41, 0x52, 0x31, 0x19, 0xfc, 0xc0, 0xac, 0xe2, 0x04]);
  new DataView(bomb.buffer).setUint32(bomb.length - 8, bomb.length - 12, true);
  bomb.set([0x50, 0x41, 0x52, 0x31], bomb.length - 4);
  expect(await read(bomb)).toBeInstanceOf(FileFault);
});
