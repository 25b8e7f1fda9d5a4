/** Values of one container: at most 65,536. */
const BITMAP_BYTES = 8192;
const MOST_IN_ARRAY = 4096;
const WITH_RUNS = 12347;
const WITHOUT_RUNS = 12346;
/** Bitmaps with runs have no offsets below this many containers. */
const OFFSETS_FROM = 4;

/**
 * The numbers in a set of 64-bit numbers in the portable Roaring format (RoaringFormatSpec, "Extension for 64-bit
 * Implementations"), ascending, container by container, so that memory does not grow with the set.
 *
 * @throws RangeError where the bytes are cut short, are followed by others, or break the format
 */
export function* roaring64(bytes: Uint8Array): Generator<readonly bigint[]> {
  const input = new Input(bytes);
  const maps = input.u64();
  if (maps > 0xffff_ffffn) throw new RangeError('more bitmaps than there are keys');
  let last = -1;
  for (let map = 0n; map < maps; map++) {
    const key = input.u32();
    // Positions are signed; a key at or above 2^31 has none.
    if (key <= last || key > 0x7fff_ffff) throw new RangeError('keys are not ascending, or out of range');
    last = key;
    yield* roaring32(input, BigInt(key) << 32n);
  }
  input.end();
}

function* roaring32(input: Input, base: bigint): Generator<readonly bigint[]> {
  const cookie = input.u32();
  const withRuns = (cookie & 0xffff) === WITH_RUNS;
  if (!withRuns && cookie !== WITHOUT_RUNS) throw new RangeError('this is no Roaring bitmap');
  const containers = withRuns ? (cookie >>> 16) + 1 : input.u32();
  if (containers > 0x1_0000) throw new RangeError('more containers than there are keys');
  const runs = withRuns ? input.take((containers + 7) >> 3) : new Uint8Array(0);
  const headers = Array.from({ length: containers }, () => ({ key: input.u16(), count: input.u16() + 1 }));
  if (!withRuns || containers >= OFFSETS_FROM) input.take(containers * 4);
  let last = -1;
  for (const [index, { key, count }] of headers.entries()) {
    if (key <= last) throw new RangeError('containers are not ascending');
    last = key;
    const isRun = ((runs[index >> 3] ?? 0) >> (index & 7)) & 1;
    const low =
      isRun === 1 ? runContainer(input) : count > MOST_IN_ARRAY ? bitmap(input) : array(input, count);
    if (low.length !== count) throw new RangeError('a container holds another count than its header says');
    const high = base + (BigInt(key) << 16n);
    yield low.map((value) => high + BigInt(value));
  }
}

function array(input: Input, count: number): number[] {
  const values = Array.from({ length: count }, () => input.u16());
  if (values.some((value, index) => index > 0 && value <= values[index - 1]!)) {
    throw new RangeError('an array is not ascending');
  }
  return values;
}

function bitmap(input: Input): number[] {
  const values: number[] = [];
  input.take(BITMAP_BYTES).forEach((byte, index) => {
    for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) values.push(index * 8 + bit);
  });
  return values;
}

function runContainer(input: Input): number[] {
  const values: number[] = [];
  let next = 0;
  for (let run = input.u16(); run > 0; run--) {
    const start = input.u16();
    const end = start + input.u16();
    if (start < next || end > 0xffff) throw new RangeError('runs overlap or are out of range');
    for (let value = start; value <= end; value++) values.push(value);
    next = end + 1;
  }
  return values;
}

/** Little-endian numbers one after the other. */
class Input {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u16(): number {
    return this.#view.getUint16(this.#step(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#step(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#step(8), true);
  }

  take(length: number): Uint8Array {
    const from = this.#step(length);
    return this.#bytes.subarray(from, from + length);
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new RangeError('bytes follow the last bitmap');
  }

  #step(length: number): number {
    const from = this.#at;
    if (from + length > this.#bytes.length) throw new RangeError('the bytes are cut short');
    this.#at = from + length;
    return from;
  }
}
