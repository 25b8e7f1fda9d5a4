import { rawRange } from '../formats/raw.ts';
import type { PlaceKind } from '../report.ts';
import { Verdict } from '../text/verdict.ts';
import { whyUnread } from '../unread.ts';
import { searchBeside, searchKept } from './beside.ts';
import { isIndexed, searchPages, type Work } from './chunk-pages.ts';
import { parquetColumnType } from './column-type.ts';
import type { Chunk } from './footer.ts';
import { idMatcher } from './id-page.ts';
import { ENCODING } from './pages.ts';
import { searchTexts } from './text-page.ts';
import { unpackPage } from './unpacked.ts';
import { decodeValues } from './values.ts';

/** A column as the search for ids asks for it. */
export function named(chunk: Chunk): { name: string; fieldId: number | undefined; chunk: Chunk } {
  return { name: chunk.name, fieldId: chunk.element.field_id, chunk };
}

/**
 * Searches one column chunk: its pages, their headers, what lies behind them, and what is kept of its values beside them. A page of
 * indexes into a searched dictionary is not unpacked. What cannot be read is noted as not proven.
 */
export function scanChunk(chunk: Chunk, kind: PlaceKind, work: Work): void {
  const { source, scan, unpack } = work;
  const { type } = chunk.element;
  const isText = !scan.text.isEmpty && (type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY');
  const meaning = parquetColumnType(chunk.element);
  const lookups = scan.ids.lookups(scan.table, named(chunk), meaning);
  // Values of a kind in which nothing sought can be written: a flag.
  const isId = lookups !== null && meaning.kind !== 'other';
  if (!isText && !isId) return;
  const matcher = isId ? idMatcher(lookups, meaning.kind === 'decimal') : null;
  const verdict = new Verdict();
  const inHeaders = new Verdict();
  try {
    const end = searchPages(chunk, source, (page) => {
      if (isText) scan.text.raw(page.header, inHeaders);
      if (page.kept.length > 0) searchKept(page.kept, chunk, { isText, matcher, scan, verdict: inHeaders });
      if (page.kind === 'index' || verdict.found || isIndexed(page)) return;
      const unpacked = unpackPage(page, chunk, unpack);
      const encoding = page.kind === 'dictionary' ? ENCODING.PLAIN : page.encoding;
      if (isText)
        searchTexts({ ...unpacked, encoding }, { element: chunk.element, search: scan.text, verdict });
      if (matcher === null || verdict.found) return;
      matcher.search(
        decodeValues(unpacked.bytes, encoding, { element: chunk.element, count: unpacked.count }),
        verdict,
      );
    });
    rawRange(source, { from: chunk.from + end, to: chunk.from + chunk.length }, { scan, verdict });
  } catch (error) {
    scan.unread(`column ${chunk.name}, row group ${chunk.rowGroup}: ${whyUnread(error)}`);
  }
  if (verdict.any) scan.note({ kind, where: `column ${chunk.name}`, shared: !verdict.found });
  if (inHeaders.any) {
    scan.note({ kind: 'footer', where: `page headers of column ${chunk.name}`, shared: !inHeaders.found });
  }
  searchBeside(chunk, work, { isText, matcher, holds: verdict.found });
}
