import { gunzipSync } from 'node:zlib';
import type { LocalReader } from '../../storage/local-reader.ts';
import type { FileScan } from '../file-scan.ts';
import type { Verdict } from '../text/verdict.ts';
import { Unread } from '../unread.ts';

/** Bytes searched at once; neighbours share enough that no trace falls between them. */
const WINDOW = 8 << 20;
/** A packed file that unpacks to more is not proven: it is searched from memory. */
export const MOST_UNPACKED = 256 << 20;

/** Searches a range of a file as bytes. */
export function rawRange(
  source: LocalReader,
  range: { readonly from: number; readonly to: number },
  {
    scan,
    verdict,
    utf16 = false,
  }: { readonly scan: FileScan; readonly verdict: Verdict; readonly utf16?: boolean },
): void {
  if (scan.text.isEmpty) return;
  const shared = scan.text.overlap & ~1;
  for (let at = range.from; at < range.to && !verdict.found; at += WINDOW) {
    const to = Math.min(range.to, at + WINDOW + shared);
    scan.text.raw(source.read(at, to - at), verdict, { utf16 });
    if (to === range.to) return;
  }
}

/** Unpacks a gzip file, all of its members. Throws {@link Unread}. */
export function unpackGzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED });
  } catch (error) {
    const large = error instanceof RangeError;
    throw new Unread(large ? 'it unpacks to more than 256 MiB' : 'its gzip data are damaged or cut short');
  }
}
