import { ZSTDDecoder } from 'zstddec';

/** What the decoder's WebAssembly module exports. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(size: number): number;
  free(pointer: number): void;
  ZSTD_decompress(to: number, room: number, from: number, length: number): number;
}

/**
 * Unpacks zstd to at most `size` bytes, by WebAssembly. What it gives lies in the module's own memory until it is called again: a
 * copy of every page would cost a fifth of the time of unpacking it.
 */
export async function openZstdWasm(): Promise<(bytes: Uint8Array, size: number) => Uint8Array> {
  const decoder = new Decoder();
  await decoder.init();
  const { exports } = decoder;
  if (exports === null) return (bytes, size) => decoder.decode(bytes, size);
  const packed = new Room(exports);
  const unpacked = new Room(exports);
  return (bytes, size) => {
    const [from, to] = [packed.of(bytes.length), unpacked.of(size)];
    new Uint8Array(exports.memory.buffer, from, bytes.length).set(bytes);
    // An error is a number of 32 bits near its greatest, so it is no size either.
    const length = exports.ZSTD_decompress(to, size, from, bytes.length) >>> 0;
    if (length > size) throw new RangeError('no zstd frame');
    return new Uint8Array(exports.memory.buffer, to, length);
  };
}

/** Keeps what the module exports. The library makes one instance in a thread, so only its first decoder sees them. */
class Decoder extends ZSTDDecoder {
  exports: Exports | null = null;

  override init(): Promise<void> {
    // The library calls the method without its object.
    this._init = (result) => {
      super._init(result);
      this.exports = result.instance.exports as unknown as Exports;
    };
    return withoutFetch(() => super.init());
  }
}

/**
 * Where there is a `fetch`, the library fetches its module from a data URL, for which Node loads its whole HTTP client: as long as
 * starting a thread takes. It asks before it waits, so nobody else sees that `fetch` was away.
 */
function withoutFetch<T>(use: () => T): T {
  const scope = globalThis as { fetch?: unknown };
  const { fetch } = scope;
  try {
    delete scope.fetch;
    return use();
  } finally {
    scope.fetch = fetch;
  }
}

/** Memory of the module that grows with what is asked of it; more than this is given back by the next. */
const KEPT = 32 << 20;

class Room {
  readonly #exports: Exports;
  #at = 0;
  #size = 0;

  constructor(exports: Exports) {
    this.#exports = exports;
  }

  /** Where `size` bytes can be written. */
  of(size: number): number {
    if (size > this.#size || this.#size > KEPT) {
      if (this.#at !== 0) this.#exports.free(this.#at);
      this.#at = 0;
      this.#size = size > KEPT ? size : Math.ceil(size * 1.5) + 64;
      this.#at = this.#exports.malloc(this.#size);
      if (this.#at === 0) {
        this.#size = 0;
        throw new RangeError('no memory');
      }
    }
    return this.#at;
  }
}
