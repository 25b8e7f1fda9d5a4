import type { LocalReader } from '../../storage/local-reader.ts';
import type { FileScan } from '../file-scan.ts';
import { rawRange } from '../formats/raw.ts';
import type { PlaceKind } from '../report.ts';
import { Verdict } from '../text/verdict.ts';
import { Unread, whyUnread } from '../unread.ts';
import type { Unpack } from './codecs.ts';
import { parquetColumnType } from './column-type.ts';
import { type Chunk, type ParquetFile, readFooter, unclaimed } from './footer.ts';
import { IdMatcher } from './id-page.ts';
import { ENCODING, type Page, Pages } from './pages.ts';
import { searchComposite } from './rows.ts';
import { searchTexts } from './text-page.ts';
import { unpackPage } from './unpacked.ts';
import { decodeValues } from './values.ts';
import { Window } from './window.ts';

/** Field ids that Iceberg reserves for the columns of position-delete files. */
const POSITION_DELETE_FIELDS = [2147483546, 2147483545];

/**
 * Scans a Parquet file by its own schema (rule S4): the pages of every text column and of every column in which ids are sought,
 * the footer, and every byte that no column claims. A dictionary is searched once; pages that only hold indexes into it
 * are not unpacked.
 *
 * `part` limits the work to some row groups; the footer and the bytes between belong to the part with the first group.
 */
export function scanParquet(
  source: LocalReader,
  scan: FileScan,
  {
    unpack,
    part,
  }: { readonly unpack: Unpack; readonly part?: { readonly from: number; readonly to: number } },
): void {
  let file: ParquetFile;
  try {
    file = readFooter(source);
  } catch (error) {
    scan.unread(whyUnread(error));
    scan.place('other', 'bytes of an unreadable Parquet file', (verdict) =>
      rawRange(source, { from: 0, to: source.size }, { scan, verdict }),
    );
    return;
  }
  scan.columns((file.chunks[0] ?? []).map((chunk) => chunk.name.split('.')[0]!));
  const kind = placeKind(file, scan);
  if ((part?.from ?? 0) === 0) scanAround(source, file, scan);
  for (const chunks of file.chunks.slice(part?.from ?? 0, part?.to)) {
    for (const chunk of chunks) scanChunk(chunk, kind, { source, scan, unpack });
    for (const { columns, trace } of scan.ids.composites(scan.table, chunks.map(named))) {
      const where = columns.map((column) => column.name).join(', ');
      scan.place(kind, `columns ${where}`, (verdict) =>
        searchComposite(
          columns.map((column) => column.chunk),
          trace,
          { source, unpack, verdict },
        ),
      );
    }
  }
}

interface Work {
  readonly source: LocalReader;
  readonly scan: FileScan;
  readonly unpack: Unpack;
}

function named(chunk: Chunk): { name: string; fieldId: number | undefined; chunk: Chunk } {
  return { name: chunk.name, fieldId: chunk.element.field_id, chunk };
}

function placeKind(file: ParquetFile, scan: FileScan): PlaceKind {
  if (scan.role === 'delete-file' || scan.role === 'statistics') return scan.role;
  const ids = new Set(file.meta.schema.map((element) => element.field_id));
  return POSITION_DELETE_FIELDS.every((id) => ids.has(id)) ? 'delete-file' : 'data';
}

function scanAround(source: LocalReader, file: ParquetFile, scan: FileScan): void {
  scan.place('footer', 'footer', (verdict) =>
    rawRange(source, { from: file.footerAt, to: source.size }, { scan, verdict }),
  );
  scan.place('footer', 'indexes and unclaimed bytes', (verdict) => {
    for (const gap of unclaimed(file)) rawRange(source, gap, { scan, verdict });
  });
}

function scanChunk(chunk: Chunk, kind: PlaceKind, { source, scan, unpack }: Work): void {
  const { type } = chunk.element;
  const isText = !scan.text.isEmpty && (type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY');
  const meaning = parquetColumnType(chunk.element);
  const lookups = scan.ids.lookups(scan.table, named(chunk), meaning);
  // Values of a kind in which nothing sought can be written: a flag, a date, where only integers are sought.
  const isId = lookups !== null && meaning.kind !== 'other';
  if (!isText && !isId) return;
  const verdict = new Verdict();
  const inHeaders = new Verdict();
  try {
    const matcher = isId ? new IdMatcher(lookups, meaning.kind === 'decimal') : null;
    const end = searchPages(chunk, source, (page) => {
      if (isText) scan.text.raw(page.header, inHeaders);
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
}

/**
 * Walks all pages, so that what the footer promises is really there; a page of indexes must come after its dictionary. Returns where
 * in the chunk the last page ends.
 */
function searchPages(chunk: Chunk, source: LocalReader, onPage: (page: Page) => void): number {
  let dictionaries = 0;
  const pages = new Pages(new Window(source, chunk), chunk.values);
  for (const page of pages) {
    if (page.kind === 'dictionary') {
      dictionaries += 1;
      if (page.encoding !== ENCODING.PLAIN && page.encoding !== ENCODING.PLAIN_DICTIONARY) {
        throw new Unread('a dictionary is in an encoding that cannot be read');
      }
    } else if (isIndexed(page) && dictionaries === 0) {
      throw new Unread('a page needs a dictionary that its column lacks');
    }
    onPage(page);
  }
  return pages.end;
}

function isIndexed(page: Page): boolean {
  return (
    (page.kind === 'data' || page.kind === 'data-v2') &&
    (page.encoding === ENCODING.RLE_DICTIONARY || page.encoding === ENCODING.PLAIN_DICTIONARY)
  );
}
