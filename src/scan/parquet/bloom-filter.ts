import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import type { LocalReader } from '../../storage/local-reader.ts';
import { xxhash64 } from '../sketch/xxhash64.ts';
import { Unread } from '../unread.ts';

/** The format's constants: one for each word of a block. */
const SALT = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31];
const BLOCK = 32;
/** The header is some twenty bytes. */
const LONGEST_HEADER = 256;

/** The bits that a value sets: a block of the filter, and one bit in each of its eight words. */
interface Bits {
  readonly block: number;
  readonly words: readonly number[];
}

/**
 * A split-block Bloom filter of one column chunk: it keeps bits of the hash of every value, and none of the values. Only those of its
 * blocks are read that are asked for.
 */
export class BloomFilter {
  readonly #source: LocalReader;
  readonly #from: number;
  readonly #blocks: number;

  /** Throws {@link Unread} for what is no filter of the one kind that the format knows. */
  constructor(source: LocalReader, offset: number) {
    if (!(offset >= 0 && offset < source.size)) throw new Unread('it lies outside of the file');
    const bytes = source.read(offset, Math.min(LONGEST_HEADER, source.size - offset));
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
    const { field_1: size, field_2: algorithm, field_3: hash, field_4: packing } = header(reader);
    const known = [algorithm, hash, packing].every(
      (choice) => typeof choice === 'object' && choice !== null && 'field_1' in choice,
    );
    if (!known || typeof size !== 'number' || size < BLOCK || size % BLOCK !== 0)
      throw new Unread('it is of a kind that cannot be read');
    this.#source = source;
    this.#from = offset + reader.offset;
    this.#blocks = size / BLOCK;
    if (this.#from + size > source.size) throw new Unread('it lies outside of the file');
  }

  /** Whether the column may have held a value, given in the format's PLAIN form without a length. */
  mayHold(value: Uint8Array): boolean {
    const { block, words } = this.#bitsOf(value);
    const kept = this.#read(block);
    return words.every((word, k) => (kept[k]! & word) === word);
  }

  /** Whether the bits of a value are there without it, because others set them. */
  explains(value: Uint8Array, others: Iterable<Uint8Array>): boolean {
    const { block, words } = this.#bitsOf(value);
    const missing = [...words];
    for (const other of others) {
      const bits = this.#bitsOf(other);
      if (bits.block !== block) continue;
      for (let k = 0; k < missing.length; k++) missing[k]! &= ~bits.words[k]!;
      if (missing.every((word) => word === 0)) return true;
    }
    return false;
  }

  #bitsOf(value: Uint8Array): Bits {
    const hash = xxhash64(value);
    const low = Number(hash & 0xffff_ffffn);
    return {
      block: Number(((hash >> 32n) * BigInt(this.#blocks)) >> 32n),
      words: SALT.map((salt) => 1 << (Math.imul(low, salt) >>> 27)),
    };
  }

  #read(block: number): Int32Array {
    const bytes = this.#source.read(this.#from + block * BLOCK, BLOCK);
    return new Int32Array(bytes.buffer, bytes.byteOffset, BLOCK / 4);
  }
}

function header(reader: { view: DataView; offset: number }): Readonly<Record<string, unknown>> {
  try {
    return deserializeTCompactProtocol(reader);
  } catch {
    throw new Unread('its header is damaged');
  }
}
