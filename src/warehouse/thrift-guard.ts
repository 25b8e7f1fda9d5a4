const TYPE = {
  STOP: 0,
  TRUE: 1,
  FALSE: 2,
  BYTE: 3,
  I16: 4,
  I32: 5,
  I64: 6,
  DOUBLE: 7,
  BINARY: 8,
  LIST: 9,
  STRUCT: 12,
};
/** A footer of a thousand columns in two hundred row groups has as many; each costs memory once it is parsed. */
const MOST_VALUES = 8_000_000;
const DEEPEST = 32;

/**
 * Walks a struct of compact Thrift without keeping anything, so that one whose parsing would take all memory (a list of a billion
 * structs of one byte each, structs in structs without end) is refused before. Throws RangeError.
 */
export function checkThrift(bytes: Uint8Array): void {
  new Walk(bytes).struct(0);
}

class Walk {
  readonly #bytes: Uint8Array;
  #at = 0;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(depth: number): void {
    if (depth > DEEPEST) throw damaged();
    for (let byte = this.#next(); (byte & 15) !== TYPE.STOP; byte = this.#next()) {
      if (byte >> 4 === 0) this.#varint();
      this.#value(byte & 15, depth);
    }
  }

  #value(type: number, depth: number): void {
    this.#values += 1;
    if (this.#values > MOST_VALUES) throw new RangeError('the Thrift struct holds more than can be read');
    switch (type) {
      case TYPE.TRUE:
      case TYPE.FALSE:
        return;
      case TYPE.BYTE:
        this.#skip(1);
        return;
      case TYPE.I16:
      case TYPE.I32:
      case TYPE.I64:
        this.#varint();
        return;
      case TYPE.DOUBLE:
        this.#skip(8);
        return;
      case TYPE.BINARY:
        this.#skip(this.#varint());
        return;
      case TYPE.LIST:
        this.#list(depth);
        return;
      case TYPE.STRUCT:
        this.struct(depth + 1);
        return;
      default:
        throw damaged();
    }
  }

  #list(depth: number): void {
    if (depth > DEEPEST) throw damaged();
    const byte = this.#next();
    const type = byte & 15;
    const size = byte >> 4 === 15 ? this.#varint() : byte >> 4;
    // Each takes a byte at least: a list of flags has one byte for each.
    if (size > this.#bytes.length - this.#at) throw damaged();
    const isFlag = type === TYPE.TRUE || type === TYPE.FALSE;
    for (let k = 0; k < size; k++) this.#value(isFlag ? TYPE.BYTE : type, depth + 1);
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 70; factor *= 128) {
      const byte = this.#next();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw damaged();
  }

  #skip(length: number): void {
    if (length > this.#bytes.length - this.#at) throw damaged();
    this.#at += length;
  }

  #next(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw damaged();
    return byte;
  }
}

function damaged(): RangeError {
  return new RangeError('the Thrift struct is damaged');
}
