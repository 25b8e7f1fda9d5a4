import { openLocalFile } from '../storage/local-reader.ts';
import { SNIFFED, sniff } from './formats/sniff.ts';
import { readFooter } from './parquet/footer.ts';
import type { Part } from './scan-file.ts';

/** A file below this size is one job. */
const WORTH_PARTS = 32 << 20;

/** The jobs into which a file is cut for several threads: row groups of a large Parquet file; null for a whole file. */
export function partsOf(path: string, width: number): readonly (Part | null)[] {
  if (width < 2) return [null];
  const source = openLocalFile(path);
  try {
    if (source.size < WORTH_PARTS || sniff(source.read(0, SNIFFED)).format !== 'parquet') return [null];
    const groups = readFooter(source).chunks.length;
    return groups < 2 ? [null] : Array.from({ length: groups }, (_, from) => ({ from, to: from + 1 }));
  } catch {
    // Whatever is wrong with it, its scan will say.
    return [null];
  } finally {
    source.close();
  }
}
