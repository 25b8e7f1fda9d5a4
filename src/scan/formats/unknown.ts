import type { LocalReader } from '../../storage/local-reader.ts';
import type { FileScan } from '../file-scan.ts';
import { TextIds } from '../ids/text-ids.ts';
import { looksPacked, unpackNameless } from './packed.ts';
import { rawRange } from './raw.ts';

/** Searches bytes as they are, for texts alone. */
export function searchBytes(bytes: Uint8Array, scan: FileScan): void {
  scan.place('other', 'bytes', (verdict) => scan.text.raw(bytes, verdict, { utf16: true }));
}

/**
 * Searches content of no known format: for texts anywhere in it, and for ids behind and below the names of their columns. What has
 * no magic number and is packed is unpacked where that can be told by trying; what only looks packed is not proven (rule S5).
 */
export function searchUnknown(bytes: Uint8Array, scan: FileScan): void {
  searchBytes(bytes, scan);
  scan.attempt(() => new TextIds(scan).search(decoded(bytes)));
  const unpacked = unpackNameless(bytes);
  if (unpacked !== null) {
    searchBytes(unpacked, scan);
    scan.attempt(() => new TextIds(scan).search(decoded(unpacked)));
  } else if (looksPacked(bytes)) scan.unread(PACKED);
}

/** The same for a file that is too large to be held whole; one that is packed is not unpacked. */
export function searchUnknownPieces(source: LocalReader, scan: FileScan): void {
  scan.place('other', 'bytes', (verdict) =>
    rawRange(source, { from: 0, to: source.size }, { scan, verdict, utf16: true }),
  );
  const ids = new TextIds(scan);
  for (let at = 0; at < source.size; at += PIECE) {
    const bytes = source.read(at, Math.min(source.size - at, PIECE + LINE));
    scan.attempt(() => ids.search(decoded(bytes)));
    if (looksPacked(bytes)) scan.unread(PACKED);
  }
}

const PACKED = 'it is of no known format, and looks packed or encrypted';
/** Pieces of large files, and what they share, so that no line of usual length is cut. */
const PIECE = 8 << 20;
const LINE = 1 << 20;

function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}
