const utf8 = new TextEncoder();

/** Twice this is a number that JavaScript holds exactly. */
const SMALL = 2n ** 52n;

/** Collects Avro's primitives as bytes. */
export class Sink {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was written so far; the next write may reuse the memory. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  boolean(value: boolean): void {
    this.#room(1);
    this.#bytes[this.#length++] = value ? 1 : 0;
  }

  int(value: number): void {
    this.#room(10);
    this.#varint(value < 0 ? -value * 2 - 1 : value * 2);
  }

  /** A zigzag varint. What a number holds exactly is written without bigint arithmetic: almost everything in a manifest. */
  long(value: bigint): void {
    if (value > -SMALL && value < SMALL) {
      this.int(Number(value));
      return;
    }
    this.#room(10);
    let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
    while (rest > 0x7fn) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  float(value: number): void {
    this.#numeric(4, (view) => view.setFloat32(0, value, true));
  }

  double(value: number): void {
    this.#numeric(8, (view) => view.setFloat64(0, value, true));
  }

  bytes(value: Uint8Array): void {
    this.int(value.length);
    this.raw(value);
  }

  string(value: string): void {
    this.bytes(utf8.encode(value));
  }

  raw(value: Uint8Array): void {
    this.#room(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  #varint(unsigned: number): void {
    let rest = unsigned;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #numeric(size: number, write: (view: DataView) => void): void {
    const bytes = new Uint8Array(size);
    write(new DataView(bytes.buffer));
    this.raw(bytes);
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    larger.set(this.view());
    this.#bytes = larger;
  }
}
