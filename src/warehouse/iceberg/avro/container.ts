import { parseJson } from '../../../values/json.ts';
import { type AvroCodec, compressBlock, decompressBlock } from './codecs.ts';
import { Cursor } from './cursor.ts';
import { type DecodeOptions, decoderOf } from './decode.ts';
import { encoderOf } from './encode.ts';
import { type AvroRecord, type AvroSchema, damagedAvro } from './schema.ts';
import { Sink } from './sink.ts';

const MAGIC = new Uint8Array([0x4f, 0x62, 0x6a, 0x01]);
const SYNC_BYTES = 16;
const BLOCK_BYTES = 64 * 1024;
const utf8 = new TextEncoder();
const text = new TextDecoder();

/** An Avro object container file: its header, and its records as they are asked for. */
export interface AvroFile {
  readonly schema: AvroSchema;
  /** The key-value pairs of the header as text, without `avro.schema` and `avro.codec`. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly records: Iterable<AvroRecord>;
}

const ALL: DecodeOptions = {};

/**
 * Reads an Avro container file with the codecs null, deflate, snappy and zstandard. Records are known by their fields' ids.
 * Sizes and counts are checked against the bytes that are there, so that damaged or hostile files end in an error.
 *
 * @throws FailedError `iceberg/damaged-avro`, also while the records are read
 */
export function readAvro(file: string, bytes: Uint8Array, options: DecodeOptions = ALL): AvroFile {
  const cursor = new Cursor(file, bytes);
  if (bytes.length < MAGIC.length || !same(cursor.take(MAGIC.length), MAGIC)) {
    throw damagedAvro(file, 'this is no Avro file');
  }
  const header = readHeader(cursor);
  const sync = cursor.take(SYNC_BYTES);
  const schemaText = header.get('avro.schema');
  if (schemaText === undefined) throw damagedAvro(file, 'the header has no schema');
  const schema = parseSchema(file, schemaText);
  const codec = header.get('avro.codec') ?? 'null';
  const metadata: Record<string, string> = {};
  for (const [key, value] of header) {
    if (key !== 'avro.schema' && key !== 'avro.codec') metadata[key] = value;
  }
  return { schema, metadata, records: readBlocks({ cursor, schema, codec, sync, options }) };
}

function readHeader(cursor: Cursor): ReadonlyMap<string, string> {
  const header = new Map<string, string>();
  for (;;) {
    let count = cursor.long();
    if (count === 0n) return header;
    if (count < 0n) {
      count = -count;
      cursor.length();
    }
    for (; count > 0n; count -= 1n) header.set(cursor.string(), text.decode(cursor.bytes()));
  }
}

/** Schemas by their text: thousands of manifests have the same. */
const parsed = new Map<string, AvroSchema>();
const MOST_PARSED = 32;
const LONGEST_KEPT = 64 * 1024;

function parseSchema(file: string, schemaText: string): AvroSchema {
  const before = parsed.get(schemaText);
  if (before !== undefined) return before;
  try {
    const schema = parseJson(schemaText) as AvroSchema;
    if (parsed.size === MOST_PARSED) parsed.clear();
    if (schemaText.length <= LONGEST_KEPT) parsed.set(schemaText, schema);
    return schema;
  } catch (cause) {
    throw damagedAvro(file, 'the schema in the header is no JSON', cause);
  }
}

interface Blocks {
  readonly cursor: Cursor;
  readonly schema: AvroSchema;
  readonly codec: string;
  readonly sync: Uint8Array;
  readonly options: DecodeOptions;
}

function* readBlocks({ cursor, schema, codec, sync, options }: Blocks): Generator<AvroRecord> {
  const { file } = cursor;
  const decode = decoderOf(file, schema, options);
  while (cursor.remaining > 0) {
    const count = cursor.long();
    const block = new Cursor(file, decompressBlock(file, codec, cursor.take(cursor.length())));
    if (!same(cursor.take(SYNC_BYTES), sync)) throw cursor.fail('a block does not end in the sync marker');
    for (let index = 0n; index < count; index += 1n) {
      if (block.remaining === 0) throw block.fail(`a block holds fewer records than the ${count} it claims`);
      const record = decode(block);
      if (record !== null) yield record as AvroRecord;
    }
    if (block.remaining > 0) throw block.fail('a block holds more than the records it claims');
  }
}

/** What {@link writeAvro} writes. */
export interface AvroContent {
  readonly schema: AvroSchema;
  readonly metadata: Readonly<Record<string, string>>;
  readonly records: Iterable<AvroRecord>;
  readonly codec: AvroCodec;
  /** The 16 bytes between blocks; random, so that none is met inside a block. */
  readonly sync: Uint8Array;
}

/** Writes an Avro container file. The schema stands in the header as given, field ids and logical types included. */
export function writeAvro({ schema, metadata, records, codec, sync }: AvroContent): Uint8Array {
  const out = new Sink();
  out.raw(MAGIC);
  const header = { 'avro.schema': JSON.stringify(schema), 'avro.codec': codec, ...metadata };
  out.long(BigInt(Object.keys(header).length));
  for (const [key, value] of Object.entries(header)) {
    out.string(key);
    out.bytes(utf8.encode(value));
  }
  out.long(0n);
  out.raw(sync);
  const encode = encoderOf(schema);
  const block = new Sink();
  let count = 0n;
  const flush = (): void => {
    if (count === 0n) return;
    out.long(count);
    out.bytes(compressBlock(codec, block.view()));
    out.raw(sync);
    block.clear();
    count = 0n;
  };
  for (const record of records) {
    encode(block, record);
    count += 1n;
    if (block.length >= BLOCK_BYTES) flush();
  }
  flush();
  return out.view().slice();
}

function same(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
