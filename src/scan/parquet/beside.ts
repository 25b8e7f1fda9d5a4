import type { FileScan } from '../file-scan.ts';
import { Verdict } from '../text/verdict.ts';
import { Unread, whyUnread } from '../unread.ts';
import { BloomFilter } from './bloom-filter.ts';
import { isIndexed, type SoughtInChunk, searchPages, type Work } from './chunk-pages.ts';
import type { Chunk } from './footer.ts';
import type { IdMatcher } from './id-page.ts';
import { footerStatistics, pageIndex } from './kept.ts';
import { ENCODING } from './pages.ts';
import { unpackPage } from './unpacked.ts';
import { decodeValues, plainForms } from './values.ts';

/**
 * Searches what a file keeps of a column's values outside of its pages: least and greatest values in the footer and in the page index,
 * and the Bloom filter. Texts there are found as bytes already; this finds ids, and texts that are whole cells.
 */
export function searchBeside(
  chunk: Chunk,
  work: Work,
  sought: SoughtInChunk & { readonly holds: boolean },
): void {
  const { file, source, scan } = work;
  if (sought.matcher === null && !scan.text.hasCells) return;
  const places = [
    { where: `statistics of column ${chunk.name}`, values: () => footerStatistics(file, chunk) },
    { where: `page index of column ${chunk.name}`, values: () => pageIndex(source, chunk) },
  ];
  for (const { where, values } of places) {
    const verdict = new Verdict();
    try {
      searchKept(values(), chunk, { ...sought, scan, verdict });
    } catch (error) {
      scan.unread(`${where}: ${whyUnread(error)}`);
    }
    if (verdict.any) scan.note({ kind: 'footer', where, shared: !verdict.found });
  }
  if (chunk.bloomFilter === null || sought.matcher === null || sought.holds) return;
  try {
    askFilter(new BloomFilter(source, chunk.bloomFilter), chunk, { work, matcher: sought.matcher });
  } catch (error) {
    scan.unread(`Bloom filter of column ${chunk.name}: ${whyUnread(error)}`);
  }
}

/** Searches single values in the PLAIN form, without a length before texts. Throws {@link Unread} for one of another width. */
export function searchKept(
  values: readonly Uint8Array[],
  chunk: Chunk,
  { isText, matcher, scan, verdict }: SoughtInChunk & { readonly scan: FileScan; readonly verdict: Verdict },
): void {
  const { element } = chunk;
  for (const value of values) {
    if (isText) {
      scan.text.raw(value, verdict);
      if (scan.text.hasCells) scan.text.cell(value, verdict);
    }
    if (matcher === null || value.length === 0) continue;
    const texts = element.type === 'BYTE_ARRAY' || element.type === 'FIXED_LEN_BYTE_ARRAY';
    // A page of nulls has a value of no length, and a writer may cut texts short.
    matcher.search(
      texts ? { kind: 'texts', values: [value] } : decodeValues(value, ENCODING.PLAIN, { element, count: 1 }),
      verdict,
    );
  }
}

/**
 * Asks a Bloom filter for the ids. It says yes for one value in a hundred that it never held; so a yes counts only where the bits of it
 * are not all set by values that the column does hold: then the filter remembers a value that is gone.
 */
function askFilter(
  filter: BloomFilter,
  chunk: Chunk,
  { work, matcher }: { readonly work: Work; readonly matcher: IdMatcher },
): void {
  const asked = matcher.plainForms(chunk.element).filter((form) => filter.mayHold(form));
  if (asked.length === 0) return;
  const held: Uint8Array[] = [];
  searchPages(chunk, work.source, (page) => {
    if (page.kind === 'index' || isIndexed(page)) return;
    const { bytes, count } = unpackPage(page, chunk, work.unpack);
    const encoding = page.kind === 'dictionary' ? ENCODING.PLAIN : page.encoding;
    for (const form of plainForms(decodeValues(bytes, encoding, { element: chunk.element, count })))
      held.push(Uint8Array.from(form));
  });
  if (asked.some((form) => !filter.explains(form, held)))
    throw new Unread('it remembers a value that is sought and that no page holds');
}
