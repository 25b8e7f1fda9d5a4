import type { LocalReader } from '../../storage/local-reader.ts';
import { textLookup } from '../ids/sought.ts';
import type { Verdict } from '../text/verdict.ts';
import type { IdTrace } from '../traces.ts';
import { Unread } from '../unread.ts';
import type { Unpack } from './codecs.ts';
import { parquetColumnType } from './column-type.ts';
import type { Chunk } from './footer.ts';
import { signedBigEndian } from './id-page.ts';
import { readHybrid } from './levels.ts';
import { ENCODING, Pages } from './pages.ts';
import { unpackPage } from './unpacked.ts';
import { decodeValues, type Values } from './values.ts';
import { Window } from './window.ts';

/** Looks for a composite id: its columns are read row by row, because all parts must meet in one row. */
export function searchComposite(
  chunks: readonly Chunk[],
  trace: IdTrace,
  {
    source,
    unpack,
    verdict,
  }: { readonly source: LocalReader; readonly unpack: Unpack; readonly verdict: Verdict },
): void {
  const columns = chunks.map((chunk) => rowTexts(chunk, source, unpack));
  const rows = columns[0]!.length;
  for (const tuple of trace.values) {
    if (tuple.some((part) => part === null)) continue;
    const parts = tuple.map((literal) => textLookup([{ literal: literal!, shared: trace.shared }]));
    for (let row = 0; row < rows; row++) {
      const same = parts.every((part, k) => {
        const text = columns[k]![row];
        return text !== null && text !== undefined && part(text) !== undefined;
      });
      if (same && verdict.add(trace.shared)) return;
    }
  }
}

/** The values of a flat column as text, one for each row; null for a null. */
function rowTexts(chunk: Chunk, source: LocalReader, unpack: Unpack): readonly (string | null)[] {
  if (chunk.maxRepetition > 0) throw new Unread('a part of a composite id lies in a list');
  const write = writer(chunk);
  const rows: (string | null)[] = [];
  let dictionary: readonly string[] | null = null;
  for (const page of new Pages(new Window(source, chunk), chunk.values)) {
    if (page.kind === 'index') continue;
    const unpacked = unpackPage(page, chunk, unpack);
    const { bytes: body, count } = unpacked;
    const element = chunk.element;
    if (page.kind === 'dictionary') {
      dictionary = write(decodeValues(body, ENCODING.PLAIN, { element, count }));
      continue;
    }
    const indexed = page.encoding === ENCODING.RLE_DICTIONARY || page.encoding === ENCODING.PLAIN_DICTIONARY;
    const values = indexed
      ? pick(dictionary, body, count)
      : write(decodeValues(body, page.encoding, { element, count }));
    const definitions = unpacked.definitions();
    let next = 0;
    for (let row = 0; row < page.values; row++) {
      const there = definitions === null || definitions[row] === chunk.maxDefinition;
      rows.push(there ? values[next++]! : null);
    }
  }
  return rows;
}

function pick(dictionary: readonly string[] | null, body: Uint8Array, count: number): readonly string[] {
  if (dictionary === null) throw new Unread('a page needs a dictionary that its column lacks');
  const known = dictionary;
  return Array.from(readHybrid(body.subarray(1), body[0] ?? 0, count), (index) => {
    const value = known[index];
    if (value === undefined) throw new Unread('a page names a value that its dictionary lacks');
    return value;
  });
}

function writer(chunk: Chunk): (values: Values) => readonly string[] {
  const type = parquetColumnType(chunk.element);
  const scale = type.kind === 'decimal' ? type.scale : 0;
  const integer = (value: bigint | number): string => decimalText(BigInt(value), scale);
  return (values) => {
    switch (values.kind) {
      case 'integers':
        return Array.from(values.values as Int32Array, integer);
      case 'floats':
        return Array.from(values.values, String);
      case 'texts':
        return values.values.map((bytes) =>
          type.kind === 'decimal'
            ? integer(signedBigEndian(bytes))
            : textOf(bytes, chunk.element.type_length),
        );
    }
  };
}

function textOf(bytes: Uint8Array, length: number | undefined): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return length === 16 ? buffer.toString('hex') : buffer.toString('utf8');
}

function decimalText(unscaled: bigint, scale: number): string {
  if (scale === 0) return unscaled.toString();
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
