import { parseJson } from '../../values/json.ts';
import type { FileScan } from '../file-scan.ts';
import { searchPathIds } from '../ids/path-ids.ts';
import { unpackLz4Frames } from '../packed/lz4-frame.ts';
import type { Unpack } from '../parquet/codecs.ts';
import type { PlaceKind } from '../report.ts';
import { singleValueForms } from '../sketch/single-value-forms.ts';
import { sketchHash, sketchHashes } from '../sketch/theta.ts';
import { Unread, whyUnread } from '../unread.ts';
import { jsonTexts } from './json-values.ts';

const MAGIC = 'PFA1';
const TAIL = 12;
const LZ4_FOOTER = 1;
const MOST_BLOB = 1 << 28;
const MOST_FOOTER = 1 << 26;

interface Blob {
  readonly type: string;
  readonly fields: readonly number[];
  readonly offset: number;
  readonly length: number;
  readonly codec: string | undefined;
}

/**
 * Scans a Puffin file (rule S4): the footer's texts, theta sketches for the hashes of the person's ids and values, and whatever no
 * blob claims. A deletion vector holds positions, which are no trace; blobs of other kinds are searched as bytes, and are not proven.
 */
export function scanPuffin(bytes: Uint8Array, scan: FileScan, unpack: Unpack): void {
  const { json, footerAt } = readFooter(bytes);
  const footer = parseFooter(json);
  const kind: PlaceKind = scan.role === 'delete-file' || footer.some(isVector) ? 'delete-file' : 'statistics';
  scan.place(kind, 'footer', (verdict) => {
    for (const { text } of jsonTexts(parseJson(json))) {
      scan.text.text(text, verdict);
      searchPathIds(text, { ids: scan.ids, table: scan.table, verdict });
    }
  });
  let at = MAGIC.length;
  const gaps: Uint8Array[] = [];
  for (const blob of [...footer].sort((a, b) => a.offset - b.offset)) {
    if (blob.offset < 0 || blob.length < 0 || blob.offset + blob.length > footerAt) {
      throw new Unread('a blob of the Puffin file lies outside of it');
    }
    if (blob.offset > at) gaps.push(bytes.subarray(at, blob.offset));
    at = Math.max(at, blob.offset + blob.length);
    try {
      scanBlob(blob, bytes.subarray(blob.offset, blob.offset + blob.length), { kind, scan, unpack });
    } catch (error) {
      scan.unread(`a blob ${known(blob.type)}: ${whyUnread(error)}`);
    }
  }
  gaps.push(bytes.subarray(at, footerAt));
  scan.place(kind, 'bytes outside of blobs', (verdict) => {
    for (const gap of gaps) scan.text.raw(gap, verdict);
  });
}

function readFooter(bytes: Uint8Array): { readonly json: string; readonly footerAt: number } {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < TAIL + 8 || tail.toString('latin1', bytes.length - 4) !== MAGIC) {
    throw new Unread('the Puffin file has no footer: it is cut short or damaged');
  }
  const size = tail.readInt32LE(bytes.length - TAIL);
  const footerAt = bytes.length - TAIL - size - MAGIC.length;
  if (size < 0 || footerAt < MAGIC.length || tail.toString('latin1', footerAt, footerAt + 4) !== MAGIC) {
    throw new Unread('the footer of the Puffin file is damaged');
  }
  const payload = tail.subarray(footerAt + 4, footerAt + 4 + size);
  const isPacked = (tail[bytes.length - 8]! & LZ4_FOOTER) !== 0;
  const json = isPacked ? Buffer.from(unpackLz4Frames(payload, MOST_FOOTER)) : payload;
  return { json: json.toString('utf8'), footerAt };
}

function parseFooter(json: string): readonly Blob[] {
  let footer: unknown;
  try {
    footer = parseJson(json);
  } catch {
    throw new Unread('the footer of the Puffin file is no JSON');
  }
  const blobs = (footer as { readonly blobs?: unknown } | null)?.blobs;
  if (!Array.isArray(blobs)) throw new Unread('the footer of the Puffin file names no blobs');
  return blobs.map((blob: Readonly<Record<string, unknown>>) => ({
    type: String(blob.type),
    fields: fieldsOf(blob.fields),
    offset: Number(blob.offset),
    length: Number(blob.length),
    codec: blob['compression-codec'] === undefined ? undefined : String(blob['compression-codec']),
  }));
}

/** The columns that a blob is of; the format demands them of every blob. */
function fieldsOf(fields: unknown): readonly number[] {
  if (!Array.isArray(fields))
    throw new Unread('a blob of the Puffin file does not say of which columns it is');
  return fields.map(Number);
}

const VECTOR = 'deletion-vector-v1';
const THETA = 'apache-datasketches-theta-v1';

const isVector = (blob: Blob): boolean => blob.type === VECTOR;

function known(type: string): string {
  return type === VECTOR || type === THETA ? `of type ${type}` : 'of another kind';
}

function scanBlob(
  blob: Blob,
  packed: Uint8Array,
  { kind, scan, unpack }: { readonly kind: PlaceKind; readonly scan: FileScan; readonly unpack: Unpack },
): void {
  if (isVector(blob)) return;
  const bytes = unpackBlob(blob, packed, unpack);
  if (blob.type !== THETA) {
    scan.place(kind, 'a blob', (verdict) => scan.text.raw(bytes, verdict));
    // It may hold hashes, as sketches do: no search of its bytes would say so.
    throw new Unread('what it holds is not known');
  }
  const kept = sketchHashes(bytes);
  scan.place('statistics', 'a theta sketch', (verdict) => {
    for (const [hash, shared] of scan.hashes) if (kept.has(hash)) verdict.add(shared);
    for (const id of blob.fields) {
      const name = scan.table.namesById.get(id);
      if (name === undefined) continue;
      for (const { literal, shared } of scan.ids.soughtIn(scan.table, { name, fieldId: id })) {
        for (const form of singleValueForms(literal)) if (kept.has(sketchHash(form))) verdict.add(shared);
      }
    }
  });
}

function unpackBlob({ codec }: Blob, packed: Uint8Array, unpack: Unpack): Uint8Array {
  switch (codec) {
    case undefined:
      return packed;
    case 'zstd':
      return unpack.zstdFrames(packed, MOST_BLOB);
    case 'lz4':
      return unpackLz4Frames(packed, MOST_BLOB);
    default:
      throw new Unread('it is packed with a codec that cannot be read');
  }
}
