import { crc32 } from 'node:zlib';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { Unread } from '../unread.ts';
import { type Fields, keptIn } from './kept.ts';
import type { Window } from './window.ts';

/** Encodings by the number that page headers hold. */
export const ENCODING = {
  PLAIN: 0,
  PLAIN_DICTIONARY: 2,
  RLE: 3,
  BIT_PACKED: 4,
  DELTA_BINARY_PACKED: 5,
  DELTA_LENGTH_BYTE_ARRAY: 6,
  DELTA_BYTE_ARRAY: 7,
  RLE_DICTIONARY: 8,
  BYTE_STREAM_SPLIT: 9,
} as const;

/** Encodings by the format's names, for those that are not read. */
export function encodingName(encoding: number): string {
  const known = Object.entries(ENCODING).find(([, number]) => number === encoding);
  return known === undefined ? `number ${encoding}` : known[0];
}

const PAGE = { DATA: 0, INDEX: 1, DICTIONARY: 2, DATA_V2: 3 } as const;

/** A page as it lies in its chunk, still packed. */
export interface Page {
  readonly kind: 'data' | 'data-v2' | 'dictionary' | 'index';
  readonly encoding: number;
  readonly values: number;
  /** The header's own bytes: they hold least and greatest values. */
  readonly header: Uint8Array;
  /** Those values by themselves, in the PLAIN form without a length. */
  readonly kept: readonly Uint8Array[];
  readonly body: Uint8Array;
  readonly unpackedSize: number;
  /** Version 1: how the levels are written. */
  readonly definitionEncoding: number;
  readonly repetitionEncoding: number;
  /** Version 2: bytes of each kind of level, in front of the body and never packed. */
  readonly definitionBytes: number;
  readonly repetitionBytes: number;
  readonly packed: boolean;
}

/** No writer comes near it (some 20,000 are usual); encodings of runs can claim any number in a few bytes. */
const MOST_VALUES = 1 << 25;

/** Bytes that hold any page header but one with very long statistics, which is read with {@link LONGEST_HEADER}. */
const USUAL_HEADER = 1 << 16;
const LONGEST_HEADER = 1 << 24;

/**
 * Walks the pages of a chunk, a piece of it in memory at a time: a page stays as it is until the next is taken. Checks each page's
 * CRC where its header has one, and that the data pages hold as many values as the footer says.
 */
export class Pages implements Iterable<Page> {
  readonly #window: Window;
  readonly #values: number;
  #at = 0;

  constructor(window: Window, values: number) {
    this.#window = window;
    this.#values = values;
  }

  *[Symbol.iterator](): Generator<Page> {
    let seen = 0;
    while (seen < this.#values) {
      if (this.#at >= this.#window.length)
        throw new Unread('a column holds fewer values than the footer says');
      const page = this.#next();
      if (page.kind === 'data' || page.kind === 'data-v2') seen += page.values;
      yield page;
    }
    if (seen !== this.#values) throw new Unread('a column holds more values than the footer says');
  }

  /** Where the last page ends, once all were walked: what follows in the chunk belongs to none. */
  get end(): number {
    return this.#at;
  }

  #next(): Page {
    const { fields, length } = this.#header();
    const size = natural(fields.field_3);
    if (this.#at + length + size > this.#window.length) throw new Unread('a page is longer than its column');
    const bytes = this.#window.bytes(this.#at, length + size);
    const body = bytes.subarray(length);
    checkCrc(fields.field_4, body);
    const page = pageOf(fields, bytes.subarray(0, length), body);
    this.#at += length + size;
    return page;
  }

  #header(): { readonly fields: Fields; readonly length: number } {
    const left = this.#window.length - this.#at;
    const usual = parseHeader(this.#window.bytes(this.#at, Math.min(left, USUAL_HEADER)));
    if (usual !== null) return usual;
    const long =
      left > USUAL_HEADER ? parseHeader(this.#window.bytes(this.#at, Math.min(left, LONGEST_HEADER))) : null;
    if (long === null) throw new Unread('a page header is damaged');
    return long;
  }
}

/** Null where the bytes are no header, or end before it does. */
function parseHeader(bytes: Uint8Array): { readonly fields: Fields; readonly length: number } | null {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  try {
    const fields = deserializeTCompactProtocol(reader);
    return { fields, length: reader.offset };
  } catch {
    return null;
  }
}

function pageOf(fields: Fields, header: Uint8Array, body: Uint8Array): Page {
  const { kind, struct, ...data } = dataOf(fields, body.length);
  const values = kind === 'index' ? 0 : natural(struct.field_1);
  if (values > MOST_VALUES) throw new Unread('a page claims to hold more values than any writer puts there');
  return {
    ...data,
    kind,
    header,
    body,
    values,
    unpackedSize: natural(fields.field_2),
    kept: kind === 'data' ? keptIn(struct.field_5) : kind === 'data-v2' ? keptIn(struct.field_8) : [],
  };
}

type Data = Omit<Page, 'header' | 'body' | 'values' | 'unpackedSize' | 'kept'> & { readonly struct: Fields };

const UNSAID = {
  definitionEncoding: ENCODING.RLE as number,
  repetitionEncoding: ENCODING.RLE as number,
  definitionBytes: 0,
  repetitionBytes: 0,
  packed: true,
};

function dataOf(fields: Fields, size: number): Data {
  switch (fields.field_1) {
    case PAGE.DATA: {
      const struct = structOf(fields.field_5);
      return {
        ...UNSAID,
        kind: 'data',
        struct,
        encoding: natural(struct.field_2),
        definitionEncoding: natural(struct.field_3),
        repetitionEncoding: natural(struct.field_4),
      };
    }
    case PAGE.DATA_V2: {
      const struct = structOf(fields.field_8);
      const definitionBytes = natural(struct.field_5);
      const repetitionBytes = natural(struct.field_6);
      if (definitionBytes + repetitionBytes > size) throw new Unread('a page header is damaged');
      const packed = struct.field_7 !== false;
      const encoding = natural(struct.field_4);
      return { ...UNSAID, kind: 'data-v2', struct, encoding, definitionBytes, repetitionBytes, packed };
    }
    case PAGE.DICTIONARY: {
      const struct = structOf(fields.field_7);
      return { ...UNSAID, kind: 'dictionary', struct, encoding: natural(struct.field_2) };
    }
    case PAGE.INDEX:
      return { ...UNSAID, kind: 'index', struct: {}, encoding: ENCODING.PLAIN };
    default:
      throw new Unread('a page is of an unknown kind');
  }
}

function checkCrc(expected: unknown, body: Uint8Array): void {
  if (typeof expected === 'number' && crc32(body) !== expected >>> 0) {
    throw new Unread('a page does not match its checksum');
  }
}

function natural(value: unknown): number {
  if (typeof value !== 'number' || value < 0) throw new Unread('a page header is damaged');
  return value;
}

function structOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new Unread('a page header is damaged');
  return value as Fields;
}
