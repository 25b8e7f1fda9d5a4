import { crc32 } from 'node:zlib';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { Unread } from '../unread.ts';
import type { Chunk } from './footer.ts';

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

const PAGE = { DATA: 0, INDEX: 1, DICTIONARY: 2, DATA_V2: 3 } as const;

/** A page as it lies in its chunk, still packed. */
export interface Page {
  readonly kind: 'data' | 'data-v2' | 'dictionary' | 'index';
  readonly encoding: number;
  readonly values: number;
  /** The header's own bytes: they hold least and greatest values. */
  readonly header: Uint8Array;
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

/**
 * Walks the pages of a chunk. Checks each page's CRC where its header has one, and that the data pages hold as many values
 * as the footer says. Yields nothing for bytes after the last value: see {@link Pages.rest}.
 */
export class Pages implements Iterable<Page> {
  readonly #bytes: Uint8Array;
  readonly #chunk: Chunk;
  #at = 0;

  constructor(bytes: Uint8Array, chunk: Chunk) {
    this.#bytes = bytes;
    this.#chunk = chunk;
  }

  *[Symbol.iterator](): Generator<Page> {
    let seen = 0;
    while (seen < this.#chunk.values) {
      if (this.#at >= this.#bytes.length)
        throw new Unread('a column holds fewer values than the footer says');
      const page = this.#next();
      if (page.kind === 'data' || page.kind === 'data-v2') seen += page.values;
      yield page;
    }
    if (seen !== this.#chunk.values) throw new Unread('a column holds more values than the footer says');
  }

  /** What lies after the last page, once all were walked. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  #next(): Page {
    const bytes = this.#bytes;
    const reader = {
      view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      offset: this.#at,
    };
    const fields = header(reader);
    const size = natural(fields.field_3);
    if (reader.offset + size > bytes.length) throw new Unread('a page is longer than its column');
    const body = bytes.subarray(reader.offset, reader.offset + size);
    checkCrc(fields.field_4, body);
    const page = pageOf(fields, bytes.subarray(this.#at, reader.offset), body);
    this.#at = reader.offset + size;
    return page;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function header(reader: { view: DataView; offset: number }): Fields {
  try {
    return deserializeTCompactProtocol(reader);
  } catch {
    throw new Unread('a page header is damaged');
  }
}

function pageOf(fields: Fields, headerBytes: Uint8Array, body: Uint8Array): Page {
  const common = {
    header: headerBytes,
    body,
    unpackedSize: natural(fields.field_2),
    definitionEncoding: ENCODING.RLE as number,
    repetitionEncoding: ENCODING.RLE as number,
    definitionBytes: 0,
    repetitionBytes: 0,
    packed: true,
  };
  switch (fields.field_1) {
    case PAGE.DATA: {
      const data = struct(fields.field_5);
      return {
        ...common,
        kind: 'data',
        values: natural(data.field_1),
        encoding: natural(data.field_2),
        definitionEncoding: natural(data.field_3),
        repetitionEncoding: natural(data.field_4),
      };
    }
    case PAGE.DATA_V2: {
      const data = struct(fields.field_8);
      const definitionBytes = natural(data.field_5);
      const repetitionBytes = natural(data.field_6);
      if (definitionBytes + repetitionBytes > body.length) throw new Unread('a page header is damaged');
      return {
        ...common,
        kind: 'data-v2',
        values: natural(data.field_1),
        encoding: natural(data.field_4),
        definitionBytes,
        repetitionBytes,
        packed: data.field_7 !== false,
      };
    }
    case PAGE.DICTIONARY: {
      const dictionary = struct(fields.field_7);
      return {
        ...common,
        kind: 'dictionary',
        values: natural(dictionary.field_1),
        encoding: natural(dictionary.field_2),
      };
    }
    case PAGE.INDEX:
      return { ...common, kind: 'index', values: 0, encoding: ENCODING.PLAIN };
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

function struct(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new Unread('a page header is damaged');
  return value as Fields;
}
