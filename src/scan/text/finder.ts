import { aroundRareBytes } from './rare-bytes.ts';

/** Called for each place where a pattern stands, with its number and its first byte; true ends the search. */
export type OnHit = (pattern: number, at: number) => boolean;

/** Searches `bytes[from, to)`. ASCII letters of either case are equal; all other bytes must be the same. */
export type Finder = (bytes: Uint8Array, from: number, to: number, onHit: OnHit) => void;

const lower = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);
const upper = (byte: number): number => (byte >= 97 && byte <= 122 ? byte - 32 : byte);
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => lower(byte));

/** Above this many patterns blocks of two bytes shift too little (measured at 10, 60 and 1,000 patterns). */
const MANY = 60;
/** The table of shifts is 64 KB, which a processor keeps at hand. */
const HASH_BITS = 16;
/** Set in every byte of a block, it makes both cases of a letter one; that it makes others one too only shortens some shifts. */
const ONE_CASE = 0x202020;

/**
 * Makes the search for many patterns at once, by Wu and Manber's algorithm (1994): a table says for each block of bytes
 * how far the window can move on without missing any pattern. The shift is the least over all patterns and both cases,
 * and a hash clash only makes it smaller, so nothing is ever jumped over.
 *
 * @param patterns UTF-8 in lower case, each of at least two bytes
 */
export function finder(patterns: readonly Uint8Array[]): Finder {
  const shortest = Math.min(...patterns.map((pattern) => pattern.length));
  if (!(shortest >= 2)) throw new RangeError('a pattern has fewer than two bytes');
  const block = patterns.length > MANY && shortest >= 3 ? 3 : 2;
  // A window of at most 254 bytes keeps every shift in one byte.
  const window = Math.min(shortest, 254);
  const tables = shiftTables(patterns, window, block);
  const find = block === 2 ? searchPairs(patterns, window, tables) : searchTriples(patterns, window, tables);
  return aroundRareBytes(patterns, find);
}

interface Tables {
  readonly shift: Uint8Array;
  /** Patterns whose window ends in a block. */
  readonly ending: ReadonlyMap<number, readonly number[]>;
}

function shiftTables(patterns: readonly Uint8Array[], window: number, block: 2 | 3): Tables {
  const shift = new Uint8Array(block === 2 ? 65536 : 1 << HASH_BITS).fill(window - block + 1);
  const ending = new Map<number, number[]>();
  patterns.forEach((pattern, id) => {
    for (let at = 0; at + block <= window; at++) {
      const distance = window - block - at;
      for (const index of block === 2 ? pairs(pattern, at) : [triple(pattern, at)]) {
        if (shift[index]! > distance) shift[index] = distance;
        if (distance === 0) noteEnding(ending, index, id);
      }
    }
  });
  return { shift, ending };
}

function noteEnding(ending: Map<number, number[]>, index: number, id: number): void {
  const others = ending.get(index);
  if (others === undefined) ending.set(index, [id]);
  else others.push(id);
}

/** The table's places for a block of two bytes, in every mixture of cases. */
function pairs(bytes: Uint8Array, at: number): readonly number[] {
  const seconds = cases(bytes[at + 1]!);
  return cases(bytes[at]!).flatMap((first) => seconds.map((second) => (first << 8) | second));
}

function cases(byte: number): readonly number[] {
  return upper(byte) === byte ? [byte] : [byte, upper(byte)];
}

/** The table's place for a block of three bytes, the same for both cases. */
function triple(bytes: Uint8Array, at: number): number {
  return hash(bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16));
}

function hash(block: number): number {
  return Math.imul(block | ONE_CASE, 0x9e3779b1) >>> (32 - HASH_BITS);
}

function searchPairs(patterns: readonly Uint8Array[], window: number, { shift, ending }: Tables): Finder {
  return (bytes, from, to, onHit) => {
    let i = from + window - 1;
    while (i < to) {
      const index = (bytes[i - 1]! << 8) | bytes[i]!;
      const jump = shift[index]!;
      if (jump !== 0) i += jump;
      else if (verify(patterns, ending.get(index)!, { bytes, at: i - window + 1, to, onHit })) return;
      else i += 1;
    }
  };
}

function searchTriples(patterns: readonly Uint8Array[], window: number, { shift, ending }: Tables): Finder {
  return (bytes, from, to, onHit) => {
    let i = from + window - 1;
    while (i < to) {
      const index = triple(bytes, i - 2);
      const jump = shift[index]!;
      if (jump !== 0) i += jump;
      else if (verify(patterns, ending.get(index)!, { bytes, at: i - window + 1, to, onHit })) return;
      else i += 1;
    }
  };
}

interface Candidate {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly to: number;
  readonly onHit: OnHit;
}

function verify(patterns: readonly Uint8Array[], ids: readonly number[], candidate: Candidate): boolean {
  const { bytes, at, to, onHit } = candidate;
  const first = LOWER[bytes[at]!]!;
  for (const id of ids) {
    const pattern = patterns[id]!;
    if (pattern[0] !== first || at + pattern.length > to) continue;
    let k = 1;
    while (k < pattern.length && LOWER[bytes[at + k]!] === pattern[k]) k += 1;
    if (k === pattern.length && onHit(id, at)) return true;
  }
  return false;
}
