import type { LocalReader } from '../../storage/local-reader.ts';
import type { FileScan } from '../file-scan.ts';
import { Unread } from '../unread.ts';
import type { Unpack } from './codecs.ts';
import type { Chunk, ParquetFile } from './footer.ts';
import type { IdMatcher } from './id-page.ts';
import { ENCODING, encodingName, type Page, Pages } from './pages.ts';
import { Window } from './window.ts';

/** What reading a column chunk takes. */
export interface Work {
  readonly file: ParquetFile;
  readonly source: LocalReader;
  readonly scan: FileScan;
  readonly unpack: Unpack;
}

/** What is sought in one column chunk: texts or not, and ids by what its values mean. */
export interface SoughtInChunk {
  readonly isText: boolean;
  readonly matcher: IdMatcher | null;
}

/**
 * Walks all pages, so that what the footer promises is really there; a page of indexes must come after its dictionary. Returns where
 * in the chunk the last page ends.
 */
export function searchPages(chunk: Chunk, source: LocalReader, onPage: (page: Page) => void): number {
  let dictionaries = 0;
  const pages = new Pages(new Window(source, chunk), chunk.values);
  for (const page of pages) {
    if (page.kind === 'dictionary') {
      dictionaries += 1;
      if (page.encoding !== ENCODING.PLAIN && page.encoding !== ENCODING.PLAIN_DICTIONARY) {
        throw new Unread(
          `a dictionary is in the encoding ${encodingName(page.encoding)}, which cannot be read`,
        );
      }
    } else if (isIndexed(page) && dictionaries === 0) {
      throw new Unread('a page needs a dictionary that its column lacks');
    }
    onPage(page);
  }
  return pages.end;
}

/** Whether a page holds indexes into a dictionary and no value. */
export function isIndexed(page: Page): boolean {
  return (
    (page.kind === 'data' || page.kind === 'data-v2') &&
    (page.encoding === ENCODING.RLE_DICTIONARY || page.encoding === ENCODING.PLAIN_DICTIONARY)
  );
}
