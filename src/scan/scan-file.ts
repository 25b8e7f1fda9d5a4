import type { LocalReader } from '../storage/local-reader.ts';
import type { FileScan } from './file-scan.ts';
import { isMetadataJson, scanMetadataJson } from './formats/metadata-json.ts';
import { scanPuffin } from './formats/puffin.ts';
import { MOST_UNPACKED, unpackGzip } from './formats/raw.ts';
import { scanAvro } from './formats/scan-avro.ts';
import { promisedFormat, SNIFFED, sniff } from './formats/sniff.ts';
import { searchBytes, searchUnknown, searchUnknownPieces } from './formats/unknown.ts';
import { unpackLz4Frames } from './packed/lz4-frame.ts';
import type { Unpack } from './parquet/codecs.ts';
import { scanParquet } from './parquet/scan-parquet.ts';
import { Unread } from './unread.ts';

/** Row groups of a Parquet file, the first and the one after the last. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * Scans one file with the reader of what it is by its content, whatever its name (rule S4). Never throws for what the file
 * holds: a file, or a part of it, that cannot be read is noted as not proven (rule S5).
 */
export function scanFile(
  source: LocalReader,
  scan: FileScan,
  { unpack, part }: { readonly unpack: Unpack; readonly part?: Part },
): void {
  scan.attempt(() => {
    const { format, name } = recognise(source);
    const promised = promisedFormat(scan.name);
    if (format === 'bytes' && promised !== undefined) {
      scan.unread(NOT_AS_NAMED);
    }
    switch (format) {
      case 'empty':
        return;
      case 'parquet':
        return scanParquet(source, scan, part === undefined ? { unpack } : { unpack, part });
      case 'avro':
      case 'puffin':
      case 'gzip':
      case 'zstd':
      case 'lz4':
        return scanWhole(whole(source), scan, unpack);
      case 'sealed':
        scan.unread(`it is ${name}, which cannot be read`);
        return scanBytes(source, scan);
      case 'bytes':
        return scanBytes(source, scan);
    }
  });
}

/** A Parquet file whose first bytes are damaged is still known by its last. */
function recognise(source: LocalReader): ReturnType<typeof sniff> {
  const found = sniff(source.read(0, Math.min(SNIFFED, source.size)));
  if (found.format !== 'bytes' || source.size < SNIFFED) return found;
  const tail = sniff(source.read(source.size - 4, 4));
  return tail.format === 'parquet' ? tail : found;
}

const NOT_AS_NAMED = 'its content is not of the format that its name promises';

/** Formats that are read from memory. What their reader cannot read is searched as bytes as well. */
function scanWhole(bytes: Uint8Array, scan: FileScan, unpack: Unpack, depth = 0): void {
  const { format } = sniff(bytes.subarray(0, SNIFFED));
  switch (format) {
    case 'avro':
      if (!scan.attempt(() => scanAvro(bytes, scan))) searchBytes(bytes, scan);
      return;
    case 'puffin':
      if (!scan.attempt(() => scanPuffin(bytes, scan, unpack))) searchBytes(bytes, scan);
      return;
    case 'gzip':
    case 'zstd':
    case 'lz4':
      if (depth > 2) throw new Unread('it is packed more than three times over');
      // The header of gzip can keep the name of the file that was packed, and a comment.
      searchBytes(bytes, scan);
      scanWhole(unpacked(format, bytes, unpack), scan, unpack, depth + 1);
      return;
    case 'bytes':
    case 'empty':
      scanText(bytes, scan);
      return;
    default:
      scan.unread(`it holds, packed, ${WHAT[format]}, which is not read there`);
      searchBytes(bytes, scan);
  }
}

const WHAT = { parquet: 'a Parquet file', sealed: 'a file of a format that cannot be read' };

function unpacked(format: 'gzip' | 'zstd' | 'lz4', bytes: Uint8Array, unpack: Unpack): Uint8Array {
  if (format === 'gzip') return unpackGzip(bytes);
  return format === 'zstd' ? unpack.zstdFrames(bytes, MOST_UNPACKED) : unpackLz4Frames(bytes, MOST_UNPACKED);
}

/** A file of no known format: metadata if it looks like it, and bytes in any case. */
function scanBytes(source: LocalReader, scan: FileScan): void {
  if (source.size <= MOST_METADATA) scanText(source.read(0, source.size), scan);
  else searchUnknownPieces(source, scan);
}

/** Metadata of more is not known; a larger file is searched piece by piece. */
const MOST_METADATA = 128 << 20;

function scanText(bytes: Uint8Array, scan: FileScan): void {
  const named = /\.metadata\.json(\.gz)?$/i.test(scan.name);
  const text = named || LIKE_JSON.has(bytes[0]) ? utf8.decode(bytes) : '';
  if (named || isMetadataJson(text)) scanMetadataJson(bytes, text, scan);
  else searchUnknown(bytes, scan);
}

const utf8 = new TextDecoder();
/** First bytes of a JSON object: its brace, or blanks before it. */
const LIKE_JSON: ReadonlySet<number | undefined> = new Set([0x7b, 0x20, 0x09, 0x0a, 0x0d]);

/** Larger files of formats that are read from memory are not proven. */
const MOST_WHOLE = 512 << 20;

function whole(source: LocalReader): Uint8Array {
  if (source.size > MOST_WHOLE) throw new Unread('it is larger than 512 MiB, too large to be read whole');
  return source.read(0, source.size);
}
