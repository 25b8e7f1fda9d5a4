import type { LocalReader } from '../../storage/local-reader.ts';
import type { FileScan } from '../file-scan.ts';
import { rawRange } from '../formats/raw.ts';
import type { PlaceKind } from '../report.ts';
import { whyUnread } from '../unread.ts';
import type { Unpack } from './codecs.ts';
import { type ParquetFile, readFooter, unclaimed } from './footer.ts';
import { searchComposite } from './rows.ts';
import { named, scanChunk } from './scan-chunk.ts';

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
    for (const chunk of chunks) scanChunk(chunk, kind, { file, source, scan, unpack });
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
