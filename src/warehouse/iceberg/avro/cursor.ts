import { damagedAvro } from './schema.ts';

/** A byte order mark at the beginning of a value belongs to the value. */
const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads Avro's primitives from bytes and never beyond them; every fault names the file. */
export class Cursor {
  readonly file: string;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(file: string, bytes: Uint8Array) {
    this.file = file;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  /** The next `length` bytes, not copied. */
  take(length: number): Uint8Array {
    if (!(length >= 0 && length <= this.remaining)) {
      throw this.fail(`a value of ${length} bytes where ${this.remaining} are left`);
    }
    const from = this.#at;
    this.#at += length;
    return this.#bytes.subarray(from, this.#at);
  }

  boolean(): boolean {
    const byte = this.#byte();
    if (byte > 1) throw this.fail(`a boolean is written as ${byte}`);
    return byte === 1;
  }

  int(): number {
    const start = this.#at;
    const low = this.#low();
    if (low !== null) return low;
    this.#at = start;
    const value = this.long();
    if (value < -2147483648n || value > 2147483647n) throw this.fail('an int is beyond 32 bits');
    return Number(value);
  }

  /** A zigzag varint. Up to 28 bits are read without bigint arithmetic, which most of a manifest is made of. */
  long(): bigint {
    const start = this.#at;
    const low = this.#low();
    if (low !== null) return BigInt(low);
    this.#at = start;
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (value > 0xffff_ffff_ffff_ffffn) break;
        return (value >> 1n) ^ -(value & 1n);
      }
    }
    throw this.fail('a long is beyond 64 bits');
  }

  /** The number of items of a block, negative where its size in bytes follows. No array of Iceberg's metadata has more than 2^31. */
  count(): number {
    return this.int();
  }

  /** Passes over a varint. */
  passVarint(): null {
    for (let bytes = 0; bytes < 10; bytes += 1) if (this.#byte() < 0x80) return null;
    throw this.fail('a long is beyond 64 bits');
  }

  /** A zigzag varint of at most four bytes; null where it is longer. */
  #low(): number | null {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return (value >>> 1) ^ -(value & 1);
    }
    return null;
  }

  /** A length or a count that must fit in what is left of the bytes. */
  length(): number {
    const start = this.#at;
    const low = this.#low();
    if (low === null) this.#at = start;
    const value = low ?? this.long();
    if (value < 0 || value > this.remaining) {
      throw this.fail(`a length of ${value} where ${this.remaining} bytes are left`);
    }
    return Number(value);
  }

  float(): number {
    return this.#numeric(4, (view, at) => view.getFloat32(at, true));
  }

  double(): number {
    return this.#numeric(8, (view, at) => view.getFloat64(at, true));
  }

  bytes(): Uint8Array {
    return this.take(this.length());
  }

  string(): string {
    try {
      return text.decode(this.take(this.length()));
    } catch (cause) {
      if (cause instanceof TypeError) throw this.fail('a text is not UTF-8');
      throw cause;
    }
  }

  fail(what: string): Error {
    return damagedAvro(this.file, `${what}, at byte ${this.#at}`);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw this.fail('the file ends in the middle of a value');
    this.#at += 1;
    return byte;
  }

  #numeric(size: number, read: (view: DataView, at: number) => number): number {
    const at = this.#at;
    this.take(size);
    return read(this.#view, at);
  }
}
